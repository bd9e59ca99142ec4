import { Button, Fieldset, Group, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { VersionMatch } from '@muster/contract';
import { useQueryClient } from '@tanstack/react-query';
import { ActionButton } from '../../access/action-button.tsx';
import type { ApiInputs } from '../../api/trpc.ts';
import { api, trpc } from '../../api/trpc.ts';
import { FormError } from '../../components/forms/form-error.tsx';
import { useServerForm } from '../../components/forms/use-server-form.ts';
import { notifyDone } from '../../components/notify.ts';
import type { TeamRow } from '../../features/sessions/teams-editor.tsx';
import { TeamsEditor } from '../../features/sessions/teams-editor.tsx';
import { toTeams } from '../../features/sessions/to-teams.ts';
import type { SessionType } from '../../features/sessions/use-session-types.ts';
import { LifeInput } from './life-input.tsx';
import type { LifeName } from './lives.ts';
import { LIVES } from './lives.ts';
import { VERSION_RULES } from './version-rules.ts';

type TypeFormProps = {
  /** Undefined for a new one. */
  edited: SessionType | undefined;
  /** Names that a new type cannot have: saving would replace the other type. */
  taken: readonly string[];
  mayChange: boolean;
  onClose: () => void;
};

type Values = {
  type: string;
  version_match: VersionMatch;
  default_teams: TeamRow[];
} & Record<LifeName, number | null>;

type Input = ApiInputs['sessionTypes']['upsert'];

const FIELDS = ['type', 'version_match', 'default_teams', ...LIVES.map(({ name }) => name)];
const RULES = VersionMatch.options.map((value) => ({ value, label: VERSION_RULES[value].label }));
const MAY_CHANGE = ['session:*'] as const;

const toValues = (type: SessionType | undefined): Values => ({
  type: type?.type ?? '',
  version_match: type?.version_match ?? 'patch',
  default_teams: type?.default_teams ?? [{ team_id: 0, max_size: 4 }],
  invitation_ttl_seconds: type?.invitation_ttl_seconds ?? null,
  reservation_ttl_seconds: type?.reservation_ttl_seconds ?? null,
  absent_ttl_seconds: type?.absent_ttl_seconds ?? null,
  ended_retention_seconds: type?.ended_retention_seconds ?? null,
});

const toInput = (values: Values): Input =>
  ({ ...values, default_teams: toTeams(values.default_teams) }) as Input;

const checkName = (taken: readonly string[]) => (name: string) => {
  if (name === '') return 'A type needs a name.';
  return taken.includes(name) ? 'There is a type with this name: edit that one.' : null;
};

export const TypeForm = ({ edited, taken, mayChange, onClose }: TypeFormProps) => {
  const client = useQueryClient();
  const { form, submit, isSending, error } = useServerForm<Values, unknown>({
    initialValues: toValues(edited),
    ...(!edited && { validate: { type: checkName(taken) } }),
    send: (values) => api.sessionTypes.upsert.mutate(toInput(values)),
    onDone: async (_, { type }) => {
      await client.invalidateQueries({ queryKey: trpc.sessionTypes.pathKey() });
      notifyDone(`The session type ${type} is saved.`);
      onClose();
    },
  });
  const { values, errors } = form;
  return (
    <form onSubmit={submit} noValidate>
      <Fieldset variant="unstyled" disabled={!mayChange} aria-label="Session type">
        <Stack gap="md">
          <FormError error={error} fields={FIELDS} />
          {!edited && (
            <TextInput
              label="Name"
              description="Sessions name it as their type. It cannot be changed."
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
              {LIVES.map(({ name, label, description }) => (
                <LifeInput
                  key={name}
                  label={label}
                  description={description}
                  value={values[name]}
                  error={errors[name]}
                  onChange={(seconds) => form.setFieldValue(name, seconds)}
                />
              ))}
            </SimpleGrid>
          </Fieldset>
        </Stack>
      </Fieldset>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={onClose}>
          {mayChange ? 'Cancel' : 'Close'}
        </Button>
        {mayChange && (
          <ActionButton type="submit" anyOf={MAY_CHANGE} loading={isSending}>
            Save
          </ActionButton>
        )}
      </Group>
    </form>
  );
};
