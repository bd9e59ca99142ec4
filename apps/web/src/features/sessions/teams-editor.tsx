import { ActionIcon, Button, Group, NumberInput, Stack } from '@mantine/core';
import { Icon } from '../../ui/icons.tsx';

export type TeamRow = { team_id: number | string; max_size: number | string };

type TeamsEditorProps = {
  rows: readonly TeamRow[];
  onChange: (rows: TeamRow[]) => void;
  /** The path of the list in the form, which prefixes its errors: `teams`. */
  name: string;
  errors: Readonly<Record<string, unknown>>;
};

const MAX_TEAMS = 100;

/** A team with the next free number and as many seats as the previous team. */
const nextTeam = (rows: readonly TeamRow[]): TeamRow => ({
  team_id: Math.max(-1, ...rows.map(({ team_id }) => Number(team_id) || 0)) + 1,
  max_size: rows.at(-1)?.max_size ?? 4,
});

/** Edits the teams of a session: the number and the seats of each. */
export const TeamsEditor = ({ rows, onChange, name, errors }: TeamsEditorProps) => {
  const replace = (index: number, part: Partial<TeamRow>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  const errorOf = (index: number, field: string) =>
    errors[`${name}.${index}.${field}`] as string | undefined;
  return (
    <Stack gap={6}>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its position; numbers change while the user types.
        <Group key={index} gap={8} wrap="nowrap" align="flex-start">
          <NumberInput
            w={120}
            label={index === 0 ? 'Team number' : undefined}
            aria-label={`Number of team ${index + 1}`}
            allowDecimal={false}
            value={row.team_id}
            error={errorOf(index, 'team_id')}
            onChange={(team_id) => replace(index, { team_id })}
          />
          <NumberInput
            w={120}
            label={index === 0 ? 'Seats' : undefined}
            aria-label={`Seats of team ${index + 1}`}
            allowDecimal={false}
            value={row.max_size}
            error={errorOf(index, 'max_size')}
            onChange={(max_size) => replace(index, { max_size })}
          />
          <ActionIcon
            mt={index === 0 ? 24 : 1}
            aria-label={`Remove team ${index + 1}`}
            onClick={() => onChange(rows.filter((_, at) => at !== index))}
          >
            <Icon name="x" size={15} />
          </ActionIcon>
        </Group>
      ))}
      <Button
        variant="default"
        w="fit-content"
        leftSection={<Icon name="plus" size={14} />}
        disabled={rows.length >= MAX_TEAMS}
        onClick={() => onChange([...rows, nextTeam(rows)])}
      >
        Add a team
      </Button>
    </Stack>
  );
};

/** Converts edited teams to the request. Leaves out an empty number, so that the service reports it at the field. */
export const toTeams = (rows: readonly TeamRow[]) =>
  rows.map(({ team_id, max_size }) => ({
    team_id: team_id === '' ? undefined : Number(team_id),
    max_size: max_size === '' ? undefined : Number(max_size),
  }));

/** "2 teams of 4", "3 teams: 4, 4 and 2 seats", "1 team of 8". */
export const describeTeams = (teams: readonly { max_size: number }[]): string => {
  const sizes = teams.map(({ max_size }) => max_size);
  const [first] = sizes;
  if (first === undefined) return 'none';
  const count = `${sizes.length} ${sizes.length === 1 ? 'team' : 'teams'}`;
  if (sizes.every((size) => size === first)) return `${count} of ${first}`;
  return `${count}: ${new Intl.ListFormat('en').format(sizes.map(String))} seats`;
};
