// Compares two sandboxes, and promotes records from one to the other. Or compares a sandbox with its own past.

import { ActionIcon, Group, SegmentedControl, Select, TextInput, Tooltip } from '@mantine/core';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { z } from 'zod';
import type { Sandbox } from '../../../../api/sandboxes.ts';
import { useSandboxes } from '../../../../api/sandboxes.ts';
import type { Comparison } from '../../../../features/compare/comparison.ts';
import { Differences } from '../../../../features/compare/differences.tsx';
import { KIND_CHOICES } from '../../../../features/records/record-kind.ts';
import { TimeFilter } from '../../../../ui/filters.tsx';
import { Icon } from '../../../../ui/icons.tsx';
import { Page } from '../../../../ui/page.tsx';
import { EmptyState } from '../../../../ui/states.tsx';
import {
  tableSearchFields,
  textParam,
  useUrlChange,
  wordParam,
} from '../../../../ui/url-state.tsx';

const CompareSandboxesSearch = z.object({
  ...tableSearchFields,
  /** The id of the source sandbox; of the target itself with `at`. */
  source: z.uuid().optional().catch(undefined),
  /** The moment of the sandbox itself with which it is compared. */
  at: textParam,
  /** Absent: Items. */
  kind: z.literal('xp').optional().catch(undefined),
  status: z.enum(['only_source', 'only_target', 'different']).optional().catch(undefined),
  /** The id of the record whose fields are shown beside the list. */
  record: wordParam,
});

export const Route = createFileRoute('/_app/s/$sandbox/compare-sandboxes')({
  validateSearch: CompareSandboxesSearch,
  component: CompareSandboxesPage,
});

function CompareSandboxesPage() {
  const { sandbox } = Route.useParams();
  const { source: sourceId, kind = 'item', at } = Route.useSearch();
  const all = useSandboxes();
  const target = all.find(({ sandbox_id }) => sandbox_id === sandbox);
  const others = all.filter(({ sandbox_id }) => sandbox_id !== sandbox);
  const named = others.find(({ sandbox_id }) => sandbox_id === sourceId);
  // A single other sandbox is selected automatically.
  const other = named ?? (others.length === 1 && sourceId === undefined ? others[0] : undefined);
  if (!target) return <NoOtherSandbox />;
  const source = at === undefined ? other : target;
  return (
    <Page title="Compare sandboxes" layout={source ? 'fill' : 'scroll'}>
      <SourceAndTarget target={target} source={source} others={others} kind={kind} at={at} />
      {!source && (
        <EmptyState title="Choose what to compare with">
          With another sandbox: see which records and fields differ, then promote the ones you
          choose to {target.name}. With the past of {target.name}: see what has changed since, then
          restore what you choose.
        </EmptyState>
      )}
      {source && <Differences source={source} target={target} kind={kind} at={at} />}
    </Page>
  );
}

const NoOtherSandbox = () => (
  <Page title="Compare sandboxes">
    <EmptyState title="This sandbox is archived">
      Archived sandboxes are not compared. Unarchive it first.
    </EmptyState>
  </Page>
);

type SourceAndTargetProps = {
  target: Sandbox;
  source: Sandbox | undefined;
  others: readonly Sandbox[];
  kind: Comparison['kind'];
  at: string | undefined;
};

const ARROW = { marginBottom: 7, color: 'var(--mantine-color-dimmed)' };

/** Parameters to reset when the source or the kind changes. */
const FRESH = {
  at: undefined,
  status: undefined,
  sel: undefined,
  record: undefined,
};

/** The value of the choice "in the past". No sandbox has it as its id. */
const PAST = 'past';
const WEEK_MS = 7 * 86_400_000;

const lastWeek = (): string => new Date(Date.now() - WEEK_MS).toISOString();

const SourceAndTarget = ({ target, source, others, kind, at }: SourceAndTargetProps) => {
  const change = useUrlChange();
  const navigate = useNavigate();
  const swap = () =>
    source &&
    at === undefined &&
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
        data={[
          ...others.map(({ sandbox_id, name }) => ({ value: sandbox_id, label: name })),
          { value: PAST, label: `${target.name} in the past` },
        ]}
        value={at === undefined ? (source?.sandbox_id ?? null) : PAST}
        onChange={(id) =>
          id === PAST
            ? change({ ...FRESH, source: target.sandbox_id, at: lastWeek() })
            : change({ ...FRESH, source: id ?? undefined })
        }
      />
      {at !== undefined && <TimeFilter name="at" label="Time" />}
      <Icon name="arrow-right" size={16} style={ARROW} />
      <TextInput
        w={200}
        label={at === undefined ? 'Into' : 'Now'}
        value={target.name}
        readOnly
        data-production={target.protected || undefined}
      />
      <Tooltip label="Swap sandboxes">
        <ActionIcon
          size={30}
          aria-label="Swap sandboxes"
          disabled={!source || at !== undefined}
          onClick={() => swap()}
        >
          <Icon name="arrows-left-right" size={17} />
        </ActionIcon>
      </Tooltip>
      <SegmentedControl
        aria-label="Record type"
        data={KIND_CHOICES}
        value={kind}
        onChange={(next) => change({ ...FRESH, at, kind: next === 'xp' ? next : undefined })}
      />
    </Group>
  );
};
