import {
  Autocomplete,
  Button,
  Group,
  Radio,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ActionButton } from '../../access/action-button.tsx';
import type { ApiOutputs } from '../../api/trpc.ts';
import { api } from '../../api/trpc.ts';
import { useCommand } from '../../commands/use-command.ts';
import { CustomDataEditor } from '../../components/custom-data/custom-data-editor.tsx';
import { FormError } from '../../components/forms/form-error.tsx';
import { UnsavedGuard } from '../../components/forms/unsaved-guard.tsx';
import { useServerForm } from '../../components/forms/use-server-form.ts';
import { notifyDone } from '../../components/notify.ts';
import { Page } from '../../components/page/page.tsx';
import { toCustomProblems } from '../../features/sessions/custom-data.ts';
import { describeTeams } from '../../features/sessions/describe-teams.ts';
import { TeamsEditor } from '../../features/sessions/teams-editor.tsx';
import { useSessionTypes } from '../../features/sessions/use-session-types.ts';
import { PlatformSessionFields } from './dialogs/platform-session-fields.tsx';
import { useSessionChange } from './live-session.ts';
import classes from './new-session.module.css';
import type { NewSessionValues } from './new-session-form.ts';
import { NEW_SESSION_FIELDS, newSessionValues, toSessionInput } from './new-session-form.ts';

const route = getRouteApi('/app/sessions/new');
const MAY_CREATE = ['session:*'] as const;

type Answer = ApiOutputs['sessions']['create'];

export const NewSessionPage = () => {
  const { type = '' } = route.useSearch();
  const types = useSessionTypes();
  const navigate = useNavigate();
  const change = useSessionChange();
  const defaultsOf = (name: string) =>
    types.find((known) => known.type === name)?.default_teams ?? [];
  const { form, submit, isSending, error } = useServerForm<NewSessionValues, Answer>({
    initialValues: newSessionValues(type),
    validate: { type: (value) => (value === '' ? 'Say which type of session this is.' : null) },
    send: (values) => {
      const hasDefaults = defaultsOf(values.type).length > 0;
      return change(api.sessions.create.mutate(toSessionInput(values, hasDefaults)));
    },
    onDone: ({ session }) => {
      form.resetDirty();
      notifyDone('The session is running.');
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
      <form className={classes.form} onSubmit={submit}>
        <FormError error={error} fields={NEW_SESSION_FIELDS} />
        <Autocomplete
          label="Type"
          description="Sessions of one type share their rules. An unknown one is fine, too."
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
              placeholder="Made by the service"
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
          <ActionButton type="submit" anyOf={MAY_CREATE} loading={isSending}>
            Create the session
          </ActionButton>
          <Button variant="default" renderRoot={(props) => <Link to="/sessions" {...props} />}>
            Cancel
          </Button>
        </Group>
      </form>
    </Page>
  );
};
