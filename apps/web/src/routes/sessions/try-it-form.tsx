// A join in the name of any player. It is sent as it is, right or wrong: the answer is the public endpoint's own.
import { Button, Divider, Group, NativeSelect, Select, TextInput } from '@mantine/core';
import { PLATFORMS, PlayerStatus } from '@muster/contract';
import { api } from '../../api/trpc.ts';
import { useCommand } from '../../commands/use-command.ts';
import { CustomDataEditor } from '../../components/custom-data/custom-data-editor.tsx';
import { FormError } from '../../components/forms/form-error.tsx';
import { useServerForm } from '../../components/forms/use-server-form.ts';
import { useUrlChange } from '../../components/url/url-state.ts';
import { PlayerPicker } from '../../features/players/player-picker.tsx';
import { toCustomProblems } from '../../features/sessions/custom-data.ts';
import { INPUT_WORDS, SEAT_WORDS, toChoices } from '../../features/sessions/session-words.ts';
import { useSessionChange } from './live-session.ts';
import { NewPlayerButton } from './new-player-button.tsx';
import { SessionPicker } from './session-picker.tsx';
import classes from './try-it.module.css';
import type { Tried, TryItValues } from './try-it-request.ts';
import { toTriedErrors, toTryJoinInput } from './try-it-request.ts';

type TryItFormProps = {
  search: { platform?: string; id?: string; player?: string; version?: string; team?: number };
  onTried: (tried: Tried) => void;
};

const STATUSES = PlayerStatus.options.map((value) => ({
  value,
  label: SEAT_WORDS[value]?.label ?? value,
}));
const ANY = { value: '', label: 'Not said' };
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

/** For a session that has no instance yet, and so asks for none in particular. */
const DEFAULT_VERSION = '1.0.0';

const toValues = ({
  platform,
  id,
  player,
  team,
  version,
}: TryItFormProps['search']): TryItValues => ({
  platform: platform ?? '',
  platform_session_id_base64: id ?? '',
  player_uuid: player ?? '',
  player_id: '',
  status: 'member',
  team_id: String(team ?? 0),
  client_version: version ?? DEFAULT_VERSION,
  client_settings: { platform: platform ?? 'Steam', input: 'gamepad' },
  crossplay_preferences: { permitted_platform: '', permitted_input: '' },
  custom: [],
});

export const TryItForm = ({ search, onTried }: TryItFormProps) => {
  const changeUrl = useUrlChange();
  const change = useSessionChange();
  const { form, submit, isSending, error } = useServerForm<TryItValues, Tried>({
    initialValues: toValues(search),
    validate: {
      platform: (value) => (value === '' ? 'Choose a session above, or a platform.' : null),
      platform_session_id_base64: (value) => (value === '' ? 'Name a platform session.' : null),
      player_uuid: (value) => (value === '' ? 'Choose a player, or make a new one.' : null),
    },
    send: (values) => change(api.sessions.tryJoin.mutate(toTryJoinInput(values))),
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
    <form className={classes.form} onSubmit={submit} noValidate>
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
        <div className={classes.player}>
          <PlayerPicker
            label="Player"
            takesAnything
            value={values.player_uuid}
            onChange={(player_uuid) => form.setFieldValue('player_uuid', player_uuid)}
            error={errors.player_uuid}
          />
        </div>
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
          data={toChoices(INPUT_WORDS)}
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
