import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import type { CustomRow } from './custom-data.ts';

type CustomDataFieldsProps = {
  rows: readonly CustomRow[];
  onChange: (rows: CustomRow[]) => void;
  /** Errors of the form: those of `custom_data.<key>` stand at their row. */
  errors: Readonly<Record<string, unknown>>;
};

/** Keys and values, both text, as games read them. */
export const CustomDataFields = ({ rows, onChange, errors }: CustomDataFieldsProps) => {
  const replace = (index: number, part: Partial<CustomRow>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  return (
    <Input.Wrapper
      label="Custom data"
      labelElement="div"
      size="xs"
      error={errors.custom_data as string | undefined}
    >
      <Stack gap={6} mt={4}>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place; keys change while they are typed.
          <Group key={index} gap={6} wrap="nowrap" align="flex-start">
            <TextInput
              flex={1}
              aria-label={`Key ${index + 1}`}
              placeholder="Key"
              value={row.key}
              onChange={(event) => replace(index, { key: event.currentTarget.value })}
            />
            <TextInput
              flex={2}
              aria-label={`Value ${index + 1}`}
              placeholder="Value"
              value={row.value}
              error={errors[`custom_data.${row.key}`] as string | undefined}
              onChange={(event) => replace(index, { value: event.currentTarget.value })}
            />
            <ActionIcon
              mt={1}
              aria-label={`Remove key ${index + 1}`}
              onClick={() => onChange(rows.filter((_, at) => at !== index))}
            >
              <IconX size={15} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          w="fit-content"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...rows, { key: '', value: '' }])}
        >
          Add a key
        </Button>
      </Stack>
    </Input.Wrapper>
  );
};
