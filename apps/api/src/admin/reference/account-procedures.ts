// The caller, people, invitations, service accounts and keys.
import { z } from 'zod';
import type { ProcedureReference } from './procedure.ts';
import { AUTHENTICATION_ERRORS, Count, Id, PageMeta, Time } from './procedure.ts';

const Role = z.enum(['viewer', 'editor', 'admin', 'owner']).meta({ id: 'Role' });
const SandboxIds = z.array(Id).optional().meta({ description: 'Absent: every sandbox.' });

const Me = z
  .strictObject({
    account_id: z.string(),
    kind: z.enum(['person', 'service', 'token']),
    name: z.string().optional(),
    email: z.string().optional(),
    role: Role.optional(),
    permissions: z.array(z.string()),
    sandbox_ids: SandboxIds,
    must_change_password: z.literal(true).optional(),
    two_factor_enabled: z.boolean().optional(),
  })
  .meta({ id: 'Me', description: 'The caller, as the credential describes it.' });

const Identity = z
  .strictObject({
    identity_id: Id,
    issuer: z.string().optional(),
    subject: z.string(),
    linked: Time,
    last_used: Time,
  })
  .meta({ id: 'Identity', description: 'A single sign-on identity that is linked to a person.' });
const Identities = z.strictObject({ identities: z.array(Identity) });

const SignIn = z
  .strictObject({
    sign_in_id: Id,
    created: Time,
    expires: Time,
    address: z.string().optional(),
    user_agent: z.string().optional(),
    current: z.literal(true).optional().meta({ description: 'The sign-in of this request.' }),
  })
  .meta({ id: 'SignIn' });

const Person = z
  .strictObject({
    account_id: z.string(),
    name: z.string(),
    email: z.string(),
    role: Role,
    sandbox_ids: SandboxIds,
    created: Time,
    last_signed_in: Time.optional(),
    two_factor_enabled: z.boolean(),
    disabled: z.literal(true).optional(),
    service_accounts: Count.optional().meta({
      description: 'Those that the person made and that have working keys.',
    }),
  })
  .meta({ id: 'Person' });

const Invitation = z
  .strictObject({
    invitation_id: Id,
    email: z.string(),
    role: Role,
    sandbox_ids: SandboxIds,
    invited_by: z.string(),
    created: Time,
    expires: Time,
  })
  .meta({ id: 'Invitation' });

const keyMembers = {
  key_id: Id,
  name: z.string(),
  prefix: z.string().meta({ description: 'The beginning of the key, which identifies it later.' }),
  permissions: z.array(z.string()),
  sandbox_ids: SandboxIds,
  created: Time,
  expires: Time.optional(),
  last_used: Time.optional().meta({ description: 'Exact to the minute.' }),
  revoked: Time.optional(),
};
const Key = z
  .strictObject(keyMembers)
  .meta({ id: 'Key', description: 'A key without its secret.' });
const NewKey = z
  .strictObject({ key: z.string().meta({ description: 'In this response only.' }), ...keyMembers })
  .meta({ id: 'NewKey' });

const serviceAccountMembers = { account_id: z.string(), name: z.string(), created: Time };
const ServiceAccount = z
  .strictObject({ ...serviceAccountMembers, keys: z.array(Key), hidden_keys: Count.optional() })
  .meta({ id: 'ServiceAccount' });

/** The refusals of a change to another person's account. */
const PERSON_ERRORS = ['person_not_found', 'grant_beyond_permissions', 'own_account'] as const;
const GRANT_ERRORS = ['grant_beyond_permissions', 'sandbox_not_found'] as const;

export const ACCOUNT_PROCEDURES = {
  'me.get': { summary: 'Describe the caller', output: Me },
  'me.find': {
    summary: 'Describe the caller, or return null without a sign-in',
    description: 'An invalid bearer credential is an error here as well.',
    output: Me.nullable(),
    errors: AUTHENTICATION_ERRORS,
  },
  'me.rename': {
    summary: 'Change the name of the signed-in person',
    description: 'At most 20 times an hour.',
    errors: ['person_not_found'],
  },
  'me.signIns': {
    summary: 'List the open sign-ins of the signed-in person',
    output: z.strictObject({ sign_ins: z.array(SignIn) }),
  },
  'me.identities': { summary: 'List the identities of the signed-in person', output: Identities },
  'me.endSignIns': {
    summary: 'End one sign-in, or all others',
    output: z.strictObject({ ended: Count }),
  },
  'people.list': {
    summary: 'List people and open invitations',
    output: z.strictObject({ people: z.array(Person), invitations: z.array(Invitation) }),
  },
  'people.invite': {
    summary: 'Invite a person',
    description: 'Muster sends no e-mail: pass the link on. It is valid once within 7 days.',
    output: z.strictObject({ invitation_id: Id, url: z.string(), expires: Time }),
    errors: [...GRANT_ERRORS, 'owner_not_narrowed', 'person_exists'],
  },
  'people.revokeInvitation': {
    summary: 'Revoke an invitation',
    errors: ['invitation_not_found', 'grant_beyond_permissions'],
  },
  'people.setRole': {
    summary: 'Change the role of a person',
    errors: [...PERSON_ERRORS, 'sandbox_not_found', 'owner_not_narrowed', 'last_owner'],
  },
  'people.setDisabled': {
    summary: 'Disable or enable a person',
    errors: [...PERSON_ERRORS, 'last_owner'],
  },
  'people.remove': {
    summary: 'Remove a person',
    description: 'The keys of service accounts that the person made remain.',
    errors: [...PERSON_ERRORS, 'last_owner'],
  },
  'people.identities': {
    summary: 'List the identities of a person',
    output: Identities,
    errors: ['person_not_found'],
  },
  'people.removeIdentity': {
    summary: 'Remove an identity and end every sign-in',
    errors: [...PERSON_ERRORS, 'identity_not_found'],
  },
  'people.resetPassword': {
    summary: 'Give a person a one-time password',
    description: 'Also removes the identities of the person.',
    output: z.strictObject({
      one_time_password: z.string().meta({ description: 'In this response only.' }),
    }),
    errors: PERSON_ERRORS,
  },
  'people.resetTwoFactor': {
    summary: 'Remove the second factor of a person',
    description: 'Also removes the identities of the person.',
    errors: PERSON_ERRORS,
  },
  'invitations.get': {
    summary: 'Read an invitation by the token of its link',
    output: z.strictObject({ email: z.string(), role: Role, expires: Time }),
    errors: ['invitation_not_found'],
  },
  'invitations.accept': {
    summary: 'Accept an invitation',
    output: z.strictObject({ email: z.string() }),
    errors: ['invitation_not_found', 'person_exists', 'password_unfit'],
  },
  'keys.list': {
    summary: 'List service accounts with their keys',
    output: z.strictObject({ service_accounts: z.array(ServiceAccount), page_meta: PageMeta }),
  },
  'keys.use': {
    summary: 'Show what a key was used for',
    description: 'Requests that other processes served in the last minute may be missing.',
    output: z.strictObject({
      days: z
        .array(
          z
            .strictObject({ day: z.string(), requests: Count, refused: Count })
            .meta({ id: 'KeyDay' }),
        )
        .meta({ description: 'The last 14 days in UTC, newest first.' }),
      last_refusals: z
        .array(
          z
            .strictObject({
              at: Time,
              error_code: z.string(),
              target: z
                .string()
                .meta({ description: 'The procedure, or the pattern of the route.' }),
              request_id: z.string(),
            })
            .meta({ id: 'KeyRefusal' }),
        )
        .meta({ description: 'The newest ten, newest first.' }),
    }),
    errors: ['key_not_found', 'grant_beyond_permissions'],
  },
  'keys.createAccount': {
    summary: 'Create a service account',
    output: z.strictObject(serviceAccountMembers),
    errors: ['service_account_exists'],
  },
  'keys.removeAccount': {
    summary: 'Remove a service account with its keys',
    errors: ['service_account_not_found', 'grant_beyond_permissions'],
  },
  'keys.create': {
    summary: 'Create a key',
    output: NewKey,
    errors: ['service_account_not_found', 'too_many_keys', ...GRANT_ERRORS],
  },
  'keys.rotate': {
    summary: 'Replace a key',
    description:
      'The new key has the permissions and the life of the old one, which ends after the grace period.',
    output: NewKey,
    errors: ['key_not_found', 'key_revoked', 'too_many_keys', 'grant_beyond_permissions'],
  },
  'keys.revoke': {
    summary: 'Revoke a key',
    description: 'Every process refuses the key within 5 seconds.',
    errors: ['key_not_found', 'grant_beyond_permissions'],
  },
  'accounts.names': {
    summary: 'Find the names of accounts',
    description:
      'Includes removed accounts. Unknown ids are left out, and so are other people without `people:view` or `people:manage`.',
    output: z.strictObject({
      accounts: z.array(
        z.strictObject({ account_id: z.string(), name: z.string(), kind: z.string() }),
      ),
    }),
  },
  'accounts.signInMethods': {
    summary: 'List the sign-in methods besides e-mail and password',
    output: z.strictObject({ oidc: z.strictObject({ name: z.string() }).optional() }),
  },
} satisfies Record<string, ProcedureReference>;
