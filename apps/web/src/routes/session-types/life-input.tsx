import { Group, Input, NativeSelect, NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { UNITS, unitOf } from './lives.ts';

type LifeInputProps = {
  label: string;
  description: string;
  /** Seconds; null for ever. */
  value: number | null;
  onChange: (seconds: number | null) => void;
  error?: ReactNode;
};

const MINUTES = 60;

/** A duration as a number and its unit. Empty is for ever. */
export const LifeInput = ({ label, description, value, onChange, error }: LifeInputProps) => {
  const [unit, setUnit] = useState(value === null ? MINUTES : unitOf(value));
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      size="xs"
      description={description}
      error={error}
    >
      <Group gap={6} mt={4} wrap="nowrap" align="flex-start">
        <NumberInput
          flex={1}
          aria-label={label}
          placeholder="For ever"
          min={0}
          thousandSeparator=","
          value={value === null ? '' : value / unit}
          error={Boolean(error)}
          onChange={(count) => onChange(count === '' ? null : Math.round(Number(count) * unit))}
        />
        <NativeSelect
          w={104}
          aria-label={`Unit of ${label}`}
          data={[...UNITS]}
          value={String(unit)}
          onChange={(event) => {
            const next = Number(event.currentTarget.value);
            setUnit(next);
            if (value !== null) onChange(Math.round(value / unit) * next);
          }}
        />
      </Group>
    </Input.Wrapper>
  );
};
