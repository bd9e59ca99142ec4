import { ActionIcon, Group, SegmentedControl, Select, TextInput, Tooltip } from '@mantine/core';
import { IconArrowRight, IconArrowsLeftRight } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { Sandbox } from '../../access/sandboxes.ts';
import { useUrlChange } from '../../components/url/url-state.ts';
import classes from './compare-sandboxes.module.css';
import type { Comparison } from './comparison.ts';
import { KIND_WORDS } from './comparison.ts';

type EndsFormProps = {
  target: Sandbox;
  source: Sandbox | undefined;
  others: readonly Sandbox[];
  kind: Comparison['kind'];
};

const KINDS = [
  { value: 'item', label: KIND_WORDS.item.many },
  { value: 'xp', label: KIND_WORDS.xp.many },
];

/** What another choice makes meaningless. */
const FRESH = { status: undefined, sel: undefined, record: undefined, step: undefined };

export const EndsForm = ({ target, source, others, kind }: EndsFormProps) => {
  const change = useUrlChange();
  const navigate = useNavigate();
  const swap = () =>
    source &&
    void navigate({
      to: '/s/$sandbox/compare-sandboxes',
      params: { sandbox: source.sandbox_id },
      search: { source: target.sandbox_id, ...(kind === 'xp' && { kind }) },
    });
  return (
    <Group gap="xs" align="flex-end">
      <Select
        w={220}
        label="From"
        placeholder="Choose a sandbox"
        searchable
        data={others.map(({ sandbox_id, name }) => ({ value: sandbox_id, label: name }))}
        value={source?.sandbox_id ?? null}
        onChange={(id) => change({ ...FRESH, source: id ?? undefined })}
      />
      <IconArrowRight className={classes.arrow} size={16} aria-hidden />
      <TextInput
        w={200}
        label="Into"
        value={target.name}
        readOnly
        data-production={target.protected || undefined}
      />
      <Tooltip label="The other way round">
        <ActionIcon
          size={30}
          aria-label="The other way round"
          disabled={!source}
          onClick={() => swap()}
        >
          <IconArrowsLeftRight size={17} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <SegmentedControl
        aria-label="What is compared"
        data={KINDS}
        value={kind}
        onChange={(next) => change({ ...FRESH, kind: next === 'xp' ? next : undefined })}
      />
    </Group>
  );
};
