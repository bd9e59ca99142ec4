// Describes the members of inputs in the document. Members with the same name mean the same in most procedures; `Component.member`
// describes one that differs. A member that its schema describes keeps that description.

const MEMBERS: Readonly<Record<string, string>> = {
  account_id: 'The account.',
  account_ids: 'The accounts to name.',
  action: 'The procedure that made the change, such as `items.update`.',
  after_seq: 'The position after which the check begins.',
  allocation_id: 'The allocation at the fleet that runs the instance.',
  audit_id: 'The audit record.',
  body: 'The body of the join, as a game would send it.',
  changed_field: 'Versions that changed this field.',
  created_by_matchmaking: 'Whether matchmaking made the session.',
  at: 'The moment. Absent: now.',
  change_set_id: 'The change set.',
  created: 'Absent: the time of the request.',
  created_from: 'Sessions that were created at this time or later.',
  created_to: 'Sessions that were created before this time.',
  cursor: 'The `cursor` of the page before. Absent for the first page.',
  default_teams: 'The teams of sessions that are created without any.',
  description: 'Shown to the people who edit the record.',
  disabled: 'True ends every sign-in and refuses new ones.',
  display_name: 'A name for people who look at sessions. Players never see it here.',
  email: 'The e-mail address with which the person signs in.',
  ended: 'True for ended sessions instead of live ones.',
  error_code: 'Refusals with this code.',
  expected_etag:
    'The ETag on which the change is based. If it is not current, the change is refused with `session_etag_mismatch`.',
  expires_in_days: 'Absent: the key lasts until it is revoked.',
  fill: '`empty` has no seats, `open` has room (`empty` included), `full` has none. Held seats count.',
  from: 'This time or later.',
  from_version_id: 'The version to compare with. Absent: the version before.',
  grace_seconds: 'How long the old key stays valid.',
  has_absent: 'True: sessions with a seated player who is marked absent. False: the others.',
  host_dedicated_process_id: 'The process on a dedicated server.',
  host_dedicated_server_id: 'The dedicated server.',
  identity_id: 'The identity of single sign-on.',
  idle_seconds:
    'Sessions that no player has joined or left for this long. Before the first join, the creation counts.',
  if_empty: 'Ends the session only when it has no taken or held seat.',
  if_none_match: 'The last ETag, with its quotes. If it is current, the result is `unchanged`.',
  include_deleted: 'Lists deleted records as well.',
  include_referenced: 'Promotes the Xp tables that Items name and the target lacks.',
  invitation_id: 'The invitation.',
  inviting_player_uuid: 'The player who invites, if one does.',
  item_id: 'The Item.',
  item_type: 'The kind of an Item.',
  joinable: 'Whether players may join without an invitation.',
  key_id: 'The key.',
  kind: 'Items or Xp tables.',
  legacy_item_id: 'Id in an older catalogue.',
  legacy_xp_id: 'Id in an older catalogue.',
  level_xp_table_id: 'The Xp table that levels this Item.',
  limit: 'The most versions to check in this call.',
  match_id: 'The match, by the id of the matchmaker.',
  match_making_id: 'The matchmaking run.',
  max_size: 'Number of seats, held ones included.',
  minutes: 'How many of the last minutes to read.',
  name: 'A name with at least one visible character. White space at both ends is removed.',
  operation: 'What the operation does.',
  operations: 'The operations, in order. All are written, or none.',
  order: 'The direction of the sort.',
  only_problems: 'True lists only the operations that have a problem.',
  only_warnings: 'True lists only the operations that have a warning.',
  page_size:
    'The most entries of a page. A page may have fewer, since its bytes are bounded as well.',
  password: 'A password of 12 to 128 characters that is not among the most common ones.',
  permissions: 'What the key permits. A key cannot permit more than its maker.',
  platform: 'The platform of the platform session.',
  platform_session: 'The platform sessions through which players join.',
  platform_session_id_base64: 'The id of the platform session.',
  platform_session_type: "The id of the platform's template.",
  player_id: 'Legacy id. It belongs to one player until that player is deleted.',
  player_uuid: 'The player.',
  player_uuids: 'The players.',
  players: 'The players whose seats are held, each once.',
  present: 'False marks the player absent, true removes the mark.',
  prevent_rejoin: 'Refuses every join of the player until a new invitation.',
  protected: 'Whether destructive changes need the name of the sandbox.',
  query: 'The text to look for.',
  reason: 'The reason, shown with the versions.',
  record_id: 'The Item or the Xp table.',
  region_id: 'Preferred region.',
  replace:
    'True replaces the content of a registered platform session. Otherwise other content is `platform_session_exists`.',
  role: 'The role of the person.',
  sandbox_id: 'The sandbox.',
  sandbox_ids: 'Narrows it to these sandboxes. Absent: every sandbox.',
  seq: 'A position of the history.',
  session_id: 'The session; unique within its type.',
  sessions: 'The sessions to create.',
  sign_in_id: 'The sign-in. Absent: all but the one that calls.',
  sort: 'The column by which the list is sorted.',
  sort_order: '`desc` lists the newest first.',
  source_sandbox_id: 'The sandbox to copy from. `sandbox_id` is the target.',
  source_session_id: 'The session from which the player was invited.',
  status: 'The state to list.',
  tag: 'Items with this whole tag.',
  tags: 'Labels by which Items are found.',
  target: 'An id in the target of the change.',
  team_id: 'The team.',
  teams: 'The teams with their sizes.',
  ticket_ids: 'The tickets of the matchmaker.',
  to: 'Before this time.',
  to_version_id: 'The version to compare.',
  token: 'The token after `#token=` in the link of the invitation.',
  transaction_id: 'Versions that one edit wrote together.',
  type: 'The session type.',
  version_id: 'The version.',
  view_id: 'The saved view.',
  xp_id: 'The Xp table.',
  'ChangeSetsAddMatchingInput.ids': 'The ids of the records, instead of a filter.',
  'ChangeSetsAddMatchingInput.op': 'What is done to the field.',
  'ChangeSetsAddMatchingInput.value': 'The operand: a text, or a number in decimal digits.',
  'ItemSchemasPromoteInput.expected_version':
    'The version of the target on which the change is based; 0 without a schema.',
  'MaintenanceSetInput.enabled': 'True begins maintenance, false ends it.',
  'ItemsRestoreInput.version_id': 'The version to return to. Absent: undeletes the record.',
  'XpRestoreInput.version_id': 'The version to return to. Absent: undeletes the record.',
  'PlayersListInput.query': 'A UUID, a legacy id, or a part of the name.',
  'PlayersCountInput.query': 'A UUID, a legacy id, or a part of the name.',
  'SandboxesCreateInput.sandbox_id': 'Made by the service when absent.',
  'SandboxesListInput.status': 'Deleted sandboxes need `sandbox:*`.',
  'ItemsCreateInput.item_id': 'Made by the service when absent.',
  'XpCreateInput.xp_id': 'Made by the service when absent.',
  'SessionsInvitePlayerInput.status':
    '`reserved` is for a player who is expected, such as the rest of a party.',
  'CompareListInput.status': 'Differences of this kind.',
  'ChangeSetsCommentInput.text': 'Plain text, at most 2,000 characters.',
  'ChangeSetsCreateInput.change_set_id': 'Made by the service when absent.',
  'ChangeSetsAddOperationsInput.item_id':
    'The Item. For a create, made by the service when absent.',
  'ChangeSetsAddOperationsInput.xp_id':
    'The Xp table. For a create, made by the service when absent.',
  'ChangeSetsAddOperationsInput.version_id':
    'The version to return to. Absent: undeletes the record.',
  'SessionsTryJoinInput.platform': 'The platform in the path of the join.',
  'SessionsTryJoinInput.player_id': 'The query `player_id` of the join.',
  'VersionsListInput.operation': 'Versions of this operation.',
};

/** What it refers to is described there. */
const isReference = ({ $ref, allOf = [], anyOf = [] }: Schema): boolean =>
  $ref !== undefined || [...allOf, ...anyOf].some((part) => part.$ref !== undefined);

type Schema = {
  $ref?: string;
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
};

export type InputSchemas = Readonly<Record<string, Schema>>;

/** Describes the members of every component whose name ends in `Input`, and closes its objects, in place. Returns those that have no description. */
export const describeInputMembers = (schemas: InputSchemas): string[] => {
  const missing: string[] = [];
  const describe = (component: string, schema: Schema): void => {
    // Inputs are strict.
    if (schema.properties) schema.additionalProperties = false;
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const text = MEMBERS[`${component}.${name}`] ?? MEMBERS[name];
      if (!isReference(member) && member.description === undefined) {
        if (text === undefined) missing.push(`${component}.${name}`);
        else member.description = text;
      }
      describe(component, member);
    }
    const inner = [schema.items ?? [], schema.oneOf ?? [], schema.anyOf ?? []].flat();
    for (const part of inner) describe(component, part);
  };
  for (const [component, schema] of Object.entries(schemas)) {
    if (component.endsWith('Input')) describe(component, schema);
  }
  return missing;
};
