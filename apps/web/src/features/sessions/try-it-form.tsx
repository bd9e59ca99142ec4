// Sends a join on behalf of any player to the public endpoint, without validation in the browser.

import { Box, Button, Divider, Group, NativeSelect, Select, TextInput } from '@mantine/core';
import { PLATFORMS, PlayerStatus } from '@muster/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, trpc } from '../../api/client.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { useCommand } from '../../ui/commands.ts';
import { CustomDataEditor, toCustomProblems } from '../../ui/custom-data-editor.tsx';
import { FormError, useServerForm } from '../../ui/forms.tsx';
import { createUuid } from '../../ui/ids.ts';
import { useUrlChange } from '../../ui/url-state.tsx';
import { PlayerPicker } from '../players/player-picker.tsx';
import { SESSION_KEYS } from './live-session.ts';
import { INPUT_LABELS, SEAT_LABELS, toChoices } from './session-labels.tsx';
import type { Tried, TryItSearch } from './try-it-request.ts';
import {
  DEFAULT_VERSION,
  newTryItValues,
  toTriedErrors,
  toTryItTarget,
  toTryJoinInput,
} from './try-it-request.ts';

type TryItFormProps = { search: TryItSearch; onTried: (tried: Tried) => void };

const STATUSES = PlayerStatus.options.map((value) => ({
  value,
  label: SEAT_LABELS[value]?.label ?? value,
}));
const ANY = { value: '', label: 'Not set' };
const PERMITTED_PLATFORMS = [
  ANY,
  { value: 'desired_platforms_any', label: 'Any platform' },
  { value: 'desired_platforms_xboxlike', label: 'Xbox only' },
  { value: 'desired_platforms_playstationlike', label: 'PlayStation only' },
];
const PERMITTED_INPUTS = [
  ANY,
  { value: 'desired_inputs_any', label: 'Any input' },
  { value: 'desired_inputs_keyboardandmouse', label: 'Keyboard and mouse only' },
  { value: 'desired_inputs_gamepad', label: 'Gamepad only' },
  { value: 'desired_inputs_touch', label: 'Touch only' },
];

export const TryItForm = ({ search, onTried }: TryItFormProps) => {
  const changeUrl = useUrlChange();
  const { form, submit, isSending, error } = useServerForm({
    initialValues: newTryItValues(search),
    validate: {
      platform: (value) => (value === '' ? 'Choose a session above, or a platform.' : null),
      platform_session_id_base64: (value) => (value === '' ? 'Name a platform session.' : null),
      player_uuid: (value) => (value === '' ? 'Choose a player, or make a new one.' : null),
    },
    send: (values) => api.sessions.tryJoin.mutate(toTryJoinInput(values)),
    invalidates: SESSION_KEYS,
    onDone: (tried, values) => {
      const errors = toTriedErrors(tried);
      form.setErrors(errors);
      onTried(tried);
      const { platform, platform_session_id_base64: id, player_uuid: player } = values;
      changeUrl({ platform, id, player });
    },
  });
  useCommand({ label: 'Send the join', keys: 'mod+s', run: () => submit() });
  const { values, errors } = form;
  return (
    <form className="column" onSubmit={submit} noValidate>
      <FormError error={error} fields={[]} />
      <SessionPicker
        value={{ platform: values.platform, id: values.platform_session_id_base64 }}
        onChoose={({ platform, id, team, version }) =>
          form.setValues({
            platform,
            platform_session_id_base64: id,
            client_settings: { ...values.client_settings, platform },
            team_id: String(team),
            client_version: version ?? DEFAULT_VERSION,
          })
        }
      />
      <Group gap="sm" grow align="flex-start">
        <Select
          label="Platform"
          data={[...PLATFORMS]}
          searchable
          {...form.getInputProps('platform')}
        />
        <TextInput
          label="Platform session id"
          spellCheck={false}
          {...form.getInputProps('platform_session_id_base64')}
        />
      </Group>
      <Group gap="sm" align="flex-end" wrap="nowrap">
        <Box flex={1} miw={0}>
          <PlayerPicker
            takesAnything
            value={values.player_uuid}
            onChange={(player_uuid) => form.setFieldValue('player_uuid', player_uuid)}
            error={errors.player_uuid}
          />
        </Box>
        <NewPlayerButton onMade={(player_uuid) => form.setFieldValue('player_uuid', player_uuid)} />
      </Group>
      <Group gap="sm" grow align="flex-start">
        <NativeSelect label="Joins as" data={STATUSES} {...form.getInputProps('status')} />
        <TextInput label="Team" inputMode="numeric" {...form.getInputProps('team_id')} />
        <TextInput label="Client version" {...form.getInputProps('client_version')} />
      </Group>
      <Group gap="sm" grow align="flex-start">
        <NativeSelect
          label="Client’s platform"
          data={[...PLATFORMS]}
          {...form.getInputProps('client_settings.platform')}
        />
        <NativeSelect
          label="Input"
          data={toChoices(INPUT_LABELS)}
          {...form.getInputProps('client_settings.input')}
        />
      </Group>
      <Divider label="Optional" labelPosition="left" />
      <Group gap="sm" grow align="flex-start">
        <NativeSelect
          label="Plays with platforms"
          data={PERMITTED_PLATFORMS}
          {...form.getInputProps('crossplay_preferences.permitted_platform')}
        />
        <NativeSelect
          label="Plays against inputs"
          data={PERMITTED_INPUTS}
          {...form.getInputProps('crossplay_preferences.permitted_input')}
        />
      </Group>
      <TextInput
        label="Legacy player id"
        inputMode="numeric"
        placeholder="None"
        {...form.getInputProps('player_id')}
      />
      <CustomDataEditor
        rows={values.custom}
        problems={toCustomProblems(values.custom, errors)}
        onChange={(custom) => form.setFieldValue('custom', custom)}
      />
      <Button type="submit" loading={isSending} w="fit-content">
        Send the join
      </Button>
    </form>
  );
};

type Target = { platform: string; id: string };
type ChosenTarget = Target & { team: number; version: string | undefined };

type SessionPickerProps = {
  value: Target;
  onChoose: (target: ChosenTarget) => void;
};

const keyOf = ({ platform, id }: Target): string => `${platform} ${id}`;

/** The newest running sessions that players can join through a platform session. */
const MAX_LISTED = 100;

const SessionPicker = ({ value, onChoose }: SessionPickerProps) => {
  const { data } = useQuery(trpc.sessions.list.queryOptions({ page_size: MAX_LISTED }));
  const targets = (data?.sessions ?? []).flatMap(({ session, seats, capacity }) =>
    session.platform_session.map((child) => ({
      ...toTryItTarget(session, child),
      label: `${session.type} · ${session.session_id} · ${child.platform} · ${seats} of ${capacity}`,
    })),
  );
  const known = new Map(targets.map((target) => [keyOf(target), target]));
  return (
    <Select
      label="Session"
      description="Fills in the platform session. The newest running sessions are listed."
      placeholder={
        data && targets.length === 0 ? 'No session can be joined now' : 'Choose a session'
      }
      searchable
      data={[...known].map(([key, { label }]) => ({ value: key, label }))}
      value={known.has(keyOf(value)) ? keyOf(value) : null}
      onChange={(key) => {
        const target = known.get(key ?? '');
        if (target) onChoose(target);
      }}
    />
  );
};

/** A join on behalf of a player needs a registered one. Registers a new player first, with a name to find it by. */
const NewPlayerButton = ({ onMade }: { onMade: (playerUuid: string) => void }) => {
  const { mutate, isPending } = useMutation({
    mutationFn: () => {
      const player_uuid = createUuid();
      const display_name = `Test player ${player_uuid.slice(0, 4)}`;
      return api.players.register.mutate({ player_uuid, display_name });
    },
    meta: { invalidates: [trpc.players.pathKey()] },
    onSuccess: ({ player_uuid }) => onMade(player_uuid),
  });
  return (
    <ActionButton
      anyOf={['player:*']}
      variant="default"
      loading={isPending}
      onClick={() => mutate()}
    >
      New random player
    </ActionButton>
  );
};
