// What happens with a request, by the kind of its endpoint.
import { ServiceError } from '../../errors/service-error.ts';
import { readAnswer } from './auth-answer.ts';
import type { AuthCall } from './auth-call.ts';
import type { AuthEndpoint } from './auth-endpoints.ts';
import { LibraryRefusal, toRefusal } from './auth-refusal.ts';
import type { AuthParts, AuthSteps } from './auth-steps.ts';
import { limitPassword, limitSecondFactor, limitSignIn } from './throttle-rules.ts';

type Handler = (endpoint: AuthEndpoint, call: AuthCall) => Promise<Response>;

export const createHandlers = (
  steps: AuthSteps,
  { store }: Pick<AuthParts, 'store'>,
): Record<AuthEndpoint['kind'], Handler> => ({
  'sign-in': handleSignIn(steps),
  'second-factor': handleSecondFactor(steps),
  change: handleChange(steps, store),
  session: handleSession(steps),
  issuer: handleIssuer(steps),
});

/** Each holds a thread and 32 MB while it hashes: more at once would slow down everything else. */
const MAX_SIGN_INS_AT_ONCE = 16;

const handleSignIn = (steps: AuthSteps): Handler => {
  let running = 0;
  const sendSome: Handler = async (endpoint, call) => {
    if (running >= MAX_SIGN_INS_AT_ONCE) throw new ServiceError('service_unavailable');
    running += 1;
    return steps.send(endpoint, call).finally(() => {
      running -= 1;
    });
  };
  return async (endpoint, call) => {
    const { email } = call.body as { email: string };
    const answer = await steps.counted(limitSignIn(call.address, email), () =>
      sendSome(endpoint, call).catch((error: unknown) => steps.recordRefusal(error, call)),
    );
    await steps.recordSignIn(answer, call);
    return answer;
  };
};

/** Backup codes are spent by the library. */
const TOTP_PATH = '/two-factor/verify-totp';

const readCode = ({ body }: AuthCall): string => (body as { code: string }).code;

const readPersonId = async (answer: Response): Promise<string> =>
  ((await readAnswer(answer)) as { user: { id: string } }).user.id;

/** The second step of a sign-in, or the proof that a new second factor works. */
const handleSecondFactor =
  (steps: AuthSteps): Handler =>
  async (endpoint, call) => {
    const person = await steps.findPerson(call);
    const answer = await steps.counted(limitSecondFactor(call.address), () =>
      steps
        .sendInTransaction(endpoint, call, async (transaction, answer) => {
          if (call.path === TOTP_PATH) {
            const accountId = person?.accountId ?? (await readPersonId(answer));
            await steps.takeCode(transaction, { accountId, code: readCode(call) });
          }
          if (!person || person.twoFactorEnabled) return;
          const { accountId } = person;
          await steps.recordChange(transaction, {
            ...{ call, accountId, action: 'auth.enableTwoFactor' },
          });
        })
        .catch((error: unknown) => steps.recordRefusal(error, call)),
    );
    if (!person) await steps.recordSignIn(answer, call);
    return answer;
  };

/** What a signed-in person confirms with the password. */
const handleChange =
  (steps: AuthSteps, store: AuthParts['store']): Handler =>
  async (endpoint, call) => {
    const person = await steps.findPerson(call);
    if (!person) throw new ServiceError('auth_session_ended');
    const isOwnPassword = call.path === '/change-password';
    if (isOwnPassword) refuseSamePassword(call.body);
    else if (person.mustChangePassword) throw new ServiceError('password_change_required');
    const { accountId } = person;
    return steps.counted(limitPassword(accountId), () =>
      steps.sendInTransaction(endpoint, call, async (transaction) => {
        if (isOwnPassword) await store.acceptOwnPassword(accountId, transaction);
        await steps.recordChange(transaction, {
          ...{ call, accountId, action: endpoint.action ?? call.path },
        });
      }),
    );
  };

const handleSession =
  (steps: AuthSteps): Handler =>
  async (endpoint, call) => {
    const { action } = endpoint;
    if (!action) return steps.send(endpoint, call);
    const person = await steps.findPerson(call);
    return steps.sendInTransaction(endpoint, call, async (transaction) => {
      if (!person) return;
      await steps.recordChange(transaction, { call, accountId: person.accountId, action });
    });
  };

/** People come back from the issuer by a link: a refusal leads them to the page of sign-in, in words. */
const handleIssuer =
  (steps: AuthSteps): Handler =>
  async (endpoint, call) => {
    if (endpoint.method === 'POST') return steps.send(endpoint, call);
    const answer = await steps.send(endpoint, call).catch((error: unknown) => {
      if (!(error instanceof LibraryRefusal)) throw error;
      const location = `/login?error=${toRefusal(error).code}`;
      return new Response(null, { status: 302, headers: { location } });
    });
    await steps.recordSignIn(answer, call);
    return answer;
  };

const refuseSamePassword = (body: unknown): void => {
  const { currentPassword, newPassword } = body as Record<string, unknown>;
  if (currentPassword !== newPassword) return;
  throw new ServiceError('password_unfit', { desc: 'The new password must be another one.' });
};
