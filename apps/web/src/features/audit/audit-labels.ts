// Labels for the actions of the audit log. The page shows the service's own name beside the label.
import { shortenId } from '../../ui/ids.ts';

const AREAS: Record<string, string> = {
  items: 'Item',
  xp: 'Xp table',
  sandboxes: 'sandbox',
  sessions: 'session',
  players: 'player',
  people: 'person',
  keys: 'key',
  changeSets: 'change set',
  webhooks: 'webhook',
};

const WHOLE: Record<string, string> = {
  'auth.signIn': 'Signed in',
  'auth.signInRefused': 'Sign-in refused',
  'auth.linkIdentity': 'Linked a single sign-on identity',
  'auth.signOut': 'Signed out',
  'auth.changePassword': 'Changed their password',
  'auth.prepareTwoFactor': 'Started to set up a second factor',
  'auth.enableTwoFactor': 'Turned on the second factor',
  'auth.disableTwoFactor': 'Turned off the second factor',
  'auth.replaceBackupCodes': 'Created new backup codes',
  'me.rename': 'Changed their name',
  'me.endSignIns': 'Ended their sign-ins',
  'people.createFirstOwner': 'Created the first owner',
  'people.invite': 'Invited a person',
  'people.revokeInvitation': 'Revoked an invitation',
  'people.setRole': 'Changed a role',
  'people.setDisabled': 'Disabled or enabled a person',
  'people.removeIdentity': 'Removed a single sign-on identity',
  'people.resetPassword': 'Reset a password',
  'people.resetOwner': 'Reset an owner on the command line',
  'people.resetTwoFactor': 'Reset a second factor',
  'invitations.accept': 'Accepted an invitation',
  'keys.createAccount': 'Created a service account',
  'keys.removeAccount': 'Removed a service account',
  'sandboxes.archive': 'Archived a sandbox',
  'sandboxes.unarchive': 'Unarchived a sandbox',
  'sandboxes.purge': 'Purged a deleted sandbox',
  'sessionTypes.delete': 'Deleted a session type',
  'webhooks.rotateSecret': 'Rotated the secret of a webhook',
  'webhooks.enable': 'Enabled a webhook',
  'webhooks.disable': 'Disabled a webhook',
  'webhooks.test': 'Tested a webhook',
  'webhooks.resend': 'Resent a webhook delivery',
  'webhooks.resume': 'Resent the events of a webhook',
  'maintenance.set': 'Switched maintenance on or off',
  'itemSchemas.set': 'Changed an item schema',
  'itemSchemas.promote': 'Promoted an item schema',
  'views.create': 'Saved a shared view',
  'views.update': 'Changed a shared view',
  'views.remove': 'Removed a shared view',
  'edits.revert': 'Created a change set to revert an edit',
  'changeSets.revert': 'Created a change set to revert another',
  'changeSets.promote': 'Created a change set to promote records',
  'changeSets.restorePast': 'Created a change set to restore a past state',
  'changeSets.import': 'Created a change set from a file',
  'changeSets.addOperations': 'Added changes to a change set',
  'changeSets.addMatching': 'Added a change of many records to a change set',
  'changeSets.removeOperations': 'Removed changes from a change set',
  'changeSets.apply': 'Applied a change set',
  'changeSets.cancel': 'Cancelled a change set',
  'changeSets.submit': 'Submitted a change set for review',
  'changeSets.approve': 'Approved a change set',
  'changeSets.reject': 'Rejected a change set',
  'changeSets.comment': 'Commented on a change set',
  'changeSets.schedule': 'Scheduled a change set',
  'changeSets.unschedule': 'Removed the schedule of a change set',
  'changeSets.acknowledge': 'Acknowledged a failed schedule',
  'changeSets.fail': 'A scheduled change set failed',
  'sessionTypes.upsert': 'Saved a session type',
  'players.register': 'Registered a player',
  'sessions.invitePlayer': 'Invited a player',
  'sessions.invitePlayers': 'Invited a party',
  'sessions.swapPlayers': 'Exchanged the teams of two players',
  'sessions.removePlayer': 'Removed a player',
  'sessions.movePlayer': 'Moved a player',
  'sessions.promotePlayer': 'Made a player leader',
  'sessions.setPresence': 'Marked a player present or absent',
  'sessions.setInstance': 'Set the instance',
  'sessions.setInstanceStatus': 'Changed the instance',
  'sessions.addPlatformSession': 'Attached a platform session',
  'sessions.removePlatformSession': 'Detached a platform session',
  'sessions.deleteEnded': 'Deleted ended sessions',
  'sessions.tryJoin': 'Tried a join',
};

const VERBS: Record<string, string> = {
  create: 'Created',
  update: 'Changed',
  delete: 'Deleted',
  restore: 'Restored',
  remove: 'Removed',
  revoke: 'Revoked',
  rotate: 'Rotated',
  end: 'Ended',
};

/** "Changed an Item" for `items.update`; the action itself if it has no label. */
export const describeAction = (action: string): string => {
  const whole = WHOLE[action];
  if (whole) return whole;
  const [area = '', verb = ''] = action.split('.');
  if (verb === 'bulk') return `Changed several ${area === 'xp' ? 'Xp tables' : 'Items'}`;
  if (verb === 'import') return `Imported ${area === 'xp' ? 'Xp tables' : 'Items'}`;
  const [noun, done] = [AREAS[area], VERBS[verb]];
  if (!noun || !done) return action;
  return `${done} ${/^(?:[aeiou]|xp)/i.test(noun) ? 'an' : 'a'} ${noun}`;
};

// The target of an audit record: named ids, as the service wrote them.

type Target = Readonly<Record<string, unknown>>;

/**
 * One line: the name that the service knows, the number of records, or shortened ids. A session is shown
 * by its type and id, a webhook by its URL.
 */
export const summarizeTarget = (target: Target, name: string | null): string => {
  const { type, session_id, url } = target;
  if (isText(type) && isText(session_id)) return `${type} ${shortenId(session_id)}`;
  if (isText(url)) return url;
  return name ?? (Object.entries(target).map(describePart).join(' · ') || '–');
};

const describePart = ([field, value]: [string, unknown]): string => {
  if (field === 'item_ids' && Array.isArray(value)) return count(value.length, 'Item');
  if (field === 'xp_ids' && Array.isArray(value)) return count(value.length, 'Xp table');
  if (field === 'records' && typeof value === 'number') return count(value, 'record');
  if (isText(value)) return shortenId(value);
  return JSON.stringify(value);
};

const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;

export const isText = (value: unknown): value is string => typeof value === 'string';
