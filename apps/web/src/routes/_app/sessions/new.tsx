// The values of the form for a new session, and the request for them.

import { Autocomplete, Group, Radio, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router';
import { z } from 'zod';
import type { ApiInputs } from '../../../api/client.ts';
import { api } from '../../../api/client.ts';
import { SESSION_KEYS } from '../../../features/sessions/live-session.ts';
import {
  newPlatformSession,
  PlatformSessionFields,
} from '../../../features/sessions/platform-session-fields.tsx';
import { useSessionTypes } from '../../../features/sessions/session-types.ts';
import type { TeamRow } from '../../../features/sessions/teams-editor.tsx';
import { describeTeams, TeamsEditor, toTeams } from '../../../features/sessions/teams-editor.tsx';
import { ActionButton, LinkButton } from '../../../ui/action-button.tsx';
import { useCommand } from '../../../ui/commands.ts';
import type { CustomRow } from '../../../ui/custom-data-editor.tsx';
import {
  CustomDataEditor,
  toCustomData,
  toCustomProblems,
} from '../../../ui/custom-data-editor.tsx';
import { FormError, UnsavedGuard, useServerForm } from '../../../ui/forms.tsx';
import { Page } from '../../../ui/page.tsx';
import { textParam } from '../../../ui/url-state.tsx';

const NewSessionSearch = z.object({ type: textParam });

export const Route = createFileRoute('/_app/sessions/new')({
  validateSearch: NewSessionSearch,
  component: NewSessionPage,
});

function NewSessionPage() {
  const { type = '' } = Route.useSearch();
  const types = useSessionTypes();
  const navigate = useNavigate();
  const defaultsOf = (name: string) =>
    types.find((known) => known.type === name)?.default_teams ?? [];
  const { form, submit, isSending, error } = useServerForm({
    initialValues: newSessionValues(type),
    validate: { type: (value) => (value === '' ? 'Enter a session type.' : null) },
    send: (values) => {
      const hasDefaults = defaultsOf(values.type).length > 0;
      return api.sessions.create.mutate(toSessionInput(values, hasDefaults));
    },
    invalidates: SESSION_KEYS,
    done: 'The session is running.',
    onDone: ({ session }) => {
      form.resetDirty();
      const params = { type: session.type, id: session.session_id };
      void navigate({ to: '/sessions/$type/$id', params, ignoreBlocker: true });
    },
  });
  useCommand({ label: 'Create the session', keys: 'mod+s', run: () => submit() });
  const { values, errors } = form;
  const defaults = defaultsOf(values.type);
  const ownTeams = defaults.length === 0 || !values.usesDefaultTeams;
  return (
    <Page title="New session" above={<Link to="/sessions">Sessions</Link>}>
      <UnsavedGuard isUnsaved={form.isDirty() && !isSending} />
      <form onSubmit={submit}>
        <Stack gap="lg" maw="38rem">
          <FormError error={error} fields={NEW_SESSION_FIELDS} />
          <Autocomplete
            label="Type"
            description="Sessions of one type share their rules. You can also enter a new type."
            withAsterisk
            data={types.map((known) => known.type)}
            {...form.getInputProps('type')}
          />
          <Stack gap="xs">
            <Title order={2}>Teams</Title>
            {defaults.length > 0 && (
              <Radio.Group
                aria-label="Teams"
                value={values.usesDefaultTeams ? 'default' : 'own'}
                onChange={(value) => form.setFieldValue('usesDefaultTeams', value === 'default')}
              >
                <Group gap="lg">
                  <Radio value="default" label={`As the type says: ${describeTeams(defaults)}`} />
                  <Radio value="own" label="Other teams" />
                </Group>
              </Radio.Group>
            )}
            {ownTeams && (
              <TeamsEditor
                name="teams"
                rows={values.teams}
                errors={errors}
                onChange={(teams) => form.setFieldValue('teams', teams)}
              />
            )}
            {errors.teams && (
              <Text c="var(--mantine-color-error)" size="xs">
                {errors.teams}
              </Text>
            )}
          </Stack>
          <Stack gap="xs">
            <Title order={2}>Platform session</Title>
            <Switch
              label="Attach a platform session"
              description="Players join through it, by its platform and id."
              {...form.getInputProps('hasPlatformSession', { type: 'checkbox' })}
            />
            {values.hasPlatformSession && (
              <PlatformSessionFields form={form} prefix="platform_session.0." />
            )}
          </Stack>
          <Stack gap="sm">
            <Title order={2}>Settings</Title>
            <Switch
              label="Open to everyone"
              description="Off: only players with an invitation or a reservation."
              {...form.getInputProps('joinable', { type: 'checkbox' })}
            />
            <Group gap="sm" grow align="flex-start">
              <TextInput
                label="Session id"
                placeholder="Assigned by the service"
                {...form.getInputProps('session_id')}
              />
              <TextInput label="Region" placeholder="None" {...form.getInputProps('region_id')} />
            </Group>
            <CustomDataEditor
              rows={values.custom}
              problems={toCustomProblems(values.custom, errors)}
              onChange={(custom) => form.setFieldValue('custom', custom)}
            />
          </Stack>
          <Group gap="xs">
            <ActionButton type="submit" anyOf={['session:*']} loading={isSending}>
              Create the session
            </ActionButton>
            <LinkButton to="/sessions">Cancel</LinkButton>
          </Group>
        </Stack>
      </form>
    </Page>
  );
}

const newSessionValues = (type: string) => ({
  type,
  session_id: '',
  region_id: '',
  joinable: true,
  /** Whether the teams equal those of the type. */
  usesDefaultTeams: true,
  teams: [{ team_id: 0, max_size: 4 }] as TeamRow[],
  hasPlatformSession: true,
  platform_session: [newPlatformSession()],
  custom: [] as CustomRow[],
});

/** The fields that show their own problems. */
const NEW_SESSION_FIELDS = [
  'type',
  'session_id',
  'region_id',
  'teams',
  'platform_session',
  'custom_data',
];

type Values = ReturnType<typeof newSessionValues>;

const toSessionInput = (values: Values, hasDefaultTeams: boolean) =>
  ({
    type: values.type,
    session_id: values.session_id || undefined,
    region_id: values.region_id || undefined,
    joinable: values.joinable,
    teams: values.usesDefaultTeams && hasDefaultTeams ? undefined : toTeams(values.teams),
    platform_session: values.hasPlatformSession ? values.platform_session : undefined,
    custom_data: toCustomData(values.custom),
  }) as ApiInputs['sessions']['create'];
