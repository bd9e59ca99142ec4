// The scope of a role or a key: every sandbox, or chosen ones.

import { MultiSelect, Radio, Stack } from '@mantine/core';
import { useMe } from '../../api/me.ts';
import { useSandbox, useSandboxes } from '../../api/sandboxes.ts';
import { Name, nameOf } from '../../ui/names.tsx';

type SandboxScopeProps = {
  /** Undefined: every sandbox. */
  value: readonly string[] | undefined;
  onChange: (value: string[] | undefined) => void;
  error?: string;
  disabled?: boolean;
  /** The object that is restricted: "the key". */
  whose: string;
};

export const SandboxScope = ({ value, onChange, error, disabled, whose }: SandboxScopeProps) => {
  const sandboxes = useSandboxes();
  const { sandbox_ids: own } = useMe();
  return (
    <Stack gap="xs">
      <Radio.Group
        label="Sandboxes"
        value={value === undefined ? 'all' : 'some'}
        onChange={(choice) => onChange(choice === 'all' ? undefined : [...(own ?? [])])}
      >
        <Stack gap={6} mt={4}>
          <Radio
            value="all"
            label="Every sandbox, including those created later"
            disabled={disabled || own !== undefined}
          />
          <Radio
            value="some"
            label={`Only sandboxes that you choose for ${whose}`}
            disabled={disabled}
          />
        </Stack>
      </Radio.Group>
      {value !== undefined && (
        <MultiSelect
          aria-label="Chosen sandboxes"
          placeholder={value.length === 0 ? 'Choose sandboxes' : undefined}
          data={sandboxes.map(({ sandbox_id, name }) => ({ value: sandbox_id, label: name }))}
          value={[...value]}
          searchable={sandboxes.length > 8}
          error={error}
          onChange={onChange}
        />
      )}
    </Stack>
  );
};

/** The problem of a choice; null when there is none. */
export const checkScope = (value: readonly string[] | undefined): string | null =>
  value?.length === 0 ? 'Choose at least one sandbox, or every sandbox.' : null;

/** Names of sandboxes, or that it is every one. Unknown ones are counted; none are listed when all are unknown. */
export const SandboxNames = ({ ids }: { ids: readonly string[] | undefined }) => {
  const sandboxes = useSandboxes();
  if (!ids) return <>Every sandbox</>;
  if (ids.length === 0) return <>Other sandboxes</>;
  const names = sandboxes.filter(({ sandbox_id }) => ids.includes(sandbox_id));
  const unknown = ids.length - names.length;
  const words = names.map(({ sandbox_id, name }) => nameOf({ name, id: sandbox_id }));
  return <>{[...words, ...(unknown > 0 ? [`${unknown} other`] : [])].join(', ')}</>;
};

/** The name of a sandbox; its id when the user may not see it. */
export const SandboxName = ({ id }: { id: string }) => {
  const sandbox = useSandbox(id);
  return (
    <span title={sandbox ? id : undefined}>
      <Name name={sandbox?.name ?? id} id={id} />
    </span>
  );
};
