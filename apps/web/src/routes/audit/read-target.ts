// What an audit record points at: ids by name, as the service wrote them.

type Target = Readonly<Record<string, unknown>>;

const text = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** One line: the values, without their names. */
export const summarizeTarget = (target: Target): string =>
  Object.values(target).map(text).join(' · ') || '–';

/** What people know it by, where the record says so. */
export const readName = (values: Target | undefined): string | undefined => {
  const { name, email } = values ?? {};
  if (typeof name === 'string') return name;
  return typeof email === 'string' ? email : undefined;
};

export type Place =
  | { to: 'item' | 'xp'; sandbox: string; id: string }
  | { to: 'session'; type: string; id: string }
  | { to: 'player' | 'key' | 'sandbox'; id: string };

const isText = (value: unknown): value is string => typeof value === 'string';

/** The pages that show what was changed, by the field of the target that names it. */
export const listPlaces = (target: Target, sandboxId?: string): Map<string, Place> => {
  const places = new Map<string, Place>();
  const { item_id, xp_id, type, session_id, player_uuid, key_id, sandbox_id } = target;
  const sandbox = sandboxId ?? (isText(sandbox_id) ? sandbox_id : undefined);
  if (sandbox && isText(item_id)) places.set('item_id', { to: 'item', sandbox, id: item_id });
  if (sandbox && isText(xp_id)) places.set('xp_id', { to: 'xp', sandbox, id: xp_id });
  if (isText(type) && isText(session_id)) {
    places.set('session_id', { to: 'session', type, id: session_id });
  }
  if (isText(player_uuid)) places.set('player_uuid', { to: 'player', id: player_uuid });
  if (isText(key_id)) places.set('key_id', { to: 'key', id: key_id });
  if (isText(sandbox_id)) places.set('sandbox_id', { to: 'sandbox', id: sandbox_id });
  return places;
};
