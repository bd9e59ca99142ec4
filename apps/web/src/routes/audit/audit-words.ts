// What was done, in words; the service's own name of the action stays beside it.

const AREAS: Record<string, string> = {
  items: 'Item',
  xp: 'Xp table',
  sandboxes: 'sandbox',
  sessions: 'session',
  sessionTypes: 'session type',
  players: 'player',
  people: 'person',
  invitations: 'invitation',
  keys: 'key',
  compare: 'sandbox',
};

const WHOLE: Record<string, string> = {
  'auth.signIn': 'Signed in',
  'auth.signInRefused': 'Sign-in refused',
  'auth.signOut': 'Signed out',
  'auth.changePassword': 'Changed own password',
  'auth.prepareTwoFactor': 'Began to set up a second factor',
  'auth.enableTwoFactor': 'Switched the second factor on',
  'auth.disableTwoFactor': 'Switched the second factor off',
  'auth.replaceBackupCodes': 'Made new backup codes',
  'me.rename': 'Changed own name',
  'me.endSignIns': 'Ended own sign-ins',
  'people.createFirstOwner': 'Made the first owner',
  'people.invite': 'Invited somebody',
  'people.revokeInvitation': 'Revoked an invitation',
  'people.setRole': 'Changed a role',
  'people.setDisabled': 'Disabled or enabled a person',
  'people.resetPassword': 'Reset a password',
  'people.resetTwoFactor': 'Reset a second factor',
  'invitations.accept': 'Accepted an invitation',
  'keys.createAccount': 'Made a service account',
  'keys.removeAccount': 'Removed a service account',
  'compare.promote': 'Promoted records',
  'sessionTypes.upsert': 'Saved a session type',
  'players.register': 'Registered a player',
  'sessions.invitePlayer': 'Invited a player',
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
  create: 'Made',
  update: 'Changed',
  delete: 'Deleted',
  restore: 'Restored',
  remove: 'Removed',
  revoke: 'Revoked',
  rotate: 'Rotated',
  end: 'Ended',
};

/** "Changed an Item" for `items.update`; the action itself where it has no words. */
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
