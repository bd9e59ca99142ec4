import {
  Fieldset,
  Group,
  Input,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core';
import { VersionMatch } from '@muster/contract';
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { ApiInputs } from '../../api/client.ts';
import { api, trpc } from '../../api/client.ts';
import { FormDialog } from '../../ui/dialogs.tsx';
import { useServerForm } from '../../ui/forms.tsx';
import type { SessionType } from './session-types.ts';
import { LIFETIMES, UNITS, unitOf, VERSION_RULES } from './session-types.ts';
import type { TeamRow } from './teams-editor.tsx';
import { TeamsEditor, toTeams } from './teams-editor.tsx';

type SessionTypeDialogProps = {
  /** Undefined for a new type. */
  edited: SessionType | undefined;
  /** Existing names, which a new type must not have, because saving would overwrite that type. */
  taken: readonly string[];
  mayChange: boolean;
  onClose: () => void;
};

const RULES = VersionMatch.options.map((value) => ({ value, label: VERSION_RULES[value].label }));

const toValues = (type: SessionType | undefined) => ({
  type: type?.type ?? '',
  version_match: type?.version_match ?? 'patch',
  default_teams: (type?.default_teams ?? [{ team_id: 0, max_size: 4 }]) as TeamRow[],
  invitation_ttl_seconds: type?.invitation_ttl_seconds ?? null,
  reservation_ttl_seconds: type?.reservation_ttl_seconds ?? null,
  absent_ttl_seconds: type?.absent_ttl_seconds ?? null,
  ended_retention_seconds: type?.ended_retention_seconds ?? null,
  idle_ttl_seconds: type?.idle_ttl_seconds ?? null,
  max_age_seconds: type?.max_age_seconds ?? null,
});

type Values = ReturnType<typeof toValues>;

const toInput = (values: Values) =>
  ({
    ...values,
    default_teams: toTeams(values.default_teams),
  }) as ApiInputs['sessionTypes']['upsert'];

const checkName = (taken: readonly string[]) => (name: string) => {
  if (name === '') return 'A type needs a name.';
  return taken.includes(name) ? 'A type with this name already exists: edit that one.' : null;
};

export const SessionTypeDialog = ({
  edited,
  taken,
  mayChange,
  onClose,
}: SessionTypeDialogProps) => {
  const server = useServerForm({
    initialValues: toValues(edited),
    ...(!edited && { validate: { type: checkName(taken) } }),
    send: (values) => api.sessionTypes.upsert.mutate(toInput(values)),
    invalidates: [trpc.sessionTypes.pathKey()],
    done: ({ type }) => `The session type ${type} is saved.`,
    onDone: onClose,
  });
  const { form } = server;
  const { values, errors } = form;
  return (
    <FormDialog
      size="lg"
      title={edited ? `Session type ${edited.type}` : 'New session type'}
      server={server}
      action={mayChange ? 'Save' : undefined}
      onClose={onClose}
    >
      <Fieldset variant="unstyled" disabled={!mayChange} aria-label="Session type">
        <Stack gap="md">
          {!edited && (
            <TextInput
              label="Name"
              description="Sessions refer to it as their type. It cannot be changed later."
              withAsterisk
              data-autofocus
              {...form.getInputProps('type')}
            />
          )}
          <NativeSelect
            label="Client version"
            description={VERSION_RULES[values.version_match].example}
            data={RULES}
            data-autofocus={edited ? true : undefined}
            {...form.getInputProps('version_match')}
          />
          <Fieldset legend="Default teams">
            <TeamsEditor
              name="default_teams"
              rows={values.default_teams}
              errors={errors}
              onChange={(teams) => form.setFieldValue('default_teams', teams)}
            />
          </Fieldset>
          <Fieldset legend="How long they stay">
            <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing="sm">
              {LIFETIMES.map(({ name, label, description, unset }) => (
                <DurationInput
                  key={name}
                  label={label}
                  description={description}
                  placeholder={unset}
                  value={values[name]}
                  error={errors[name]}
                  onChange={(seconds) => form.setFieldValue(name, seconds)}
                />
              ))}
            </SimpleGrid>
          </Fieldset>
        </Stack>
      </Fieldset>
    </FormDialog>
  );
};

type DurationInputProps = {
  label: string;
  description: string;
  /** The meaning of an empty duration. */
  placeholder: string;
  /** Seconds; null: empty. */
  value: number | null;
  onChange: (seconds: number | null) => void;
  error?: ReactNode;
};

const MINUTES = 60;

/** A duration as a number and a unit. */
const DurationInput = ({
  label,
  description,
  placeholder,
  value,
  onChange,
  error,
}: DurationInputProps) => {
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
          placeholder={placeholder}
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
