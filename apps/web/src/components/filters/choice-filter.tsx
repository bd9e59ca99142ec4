import { Select } from '@mantine/core';
import { useUrlChange, useUrlValues } from '../url/url-state.ts';

type ChoiceFilterProps = {
  /** The parameter in the address. */
  name: string;
  label: string;
  /** Values with their words. */
  choices: readonly { value: string; label: string }[];
  /** What no choice means. */
  anyLabel?: string;
  width?: number;
};

/** Values that look like numbers or booleans arrive in the schema as such: `z.coerce.string()` undoes it. */
export const ChoiceFilter = ({
  name,
  label,
  choices,
  anyLabel = 'Any',
  width = 150,
}: ChoiceFilterProps) => {
  const { [name]: chosen } = useUrlValues();
  const change = useUrlChange();
  return (
    <Select
      w={width}
      label={label}
      placeholder={anyLabel}
      data={[...choices]}
      value={chosen === undefined ? null : String(chosen)}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      searchable={choices.length > 8}
      onChange={(value) => change({ [name]: value ?? undefined, sel: undefined })}
    />
  );
};
