// The options of muster-pact verify, and what --help says about them.
import type { BrokerAccess, ConsumerVersionSelector } from '../broker/client.ts';
import { Problem } from '../problem.ts';
import type { readOptions } from './options.ts';

const text = { type: 'string' } as const;
const list = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean' } as const;

export const VERIFY_OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  reporter: list,
  out: text,
  results: text,
  'provider-url': text,
  secret: text,
  'secret-file': text,
  issuer: text,
  audience: text,
  broker: text,
  'broker-token': text,
  'broker-username': text,
  'broker-password': text,
  provider: text,
  selector: list,
  pending: flag,
  'include-wip-since': text,
  publish: flag,
  'provider-version': text,
  'provider-branch': text,
  'provider-tag': list,
  'build-url': text,
} as const;

export type VerifyOptions = ReturnType<typeof readOptions<typeof VERIFY_OPTIONS>>['values'];

export const VERIFY_HELP = `muster-pact verify <files | folders | URLs> [options]

Checks pacts against the contract, and replays every interaction against the real service, which the command starts
by itself on a PostgreSQL of its own.

  --provider <name>           what the pacts call the service (muster); those of other providers are skipped

Reports
  --reporter <name>[=<file>]  text (default), junit, json, github; may be repeated
  --out <folder>              folder for reports that have no file of their own
  --results <folder>          keeps results to commit; fewer interactions than last time are an error

A service that runs already
  --provider-url <URL>        verifies that service instead of starting one
  --secret <secret>           its AUTH_JWT_SECRET; better: --secret-file, or AUTH_JWT_SECRET in the environment
  --secret-file <file>
  --issuer, --audience        where the service checks them

A broker
  --broker <URL>              also PACT_BROKER_BASE_URL; with --broker-token (PACT_BROKER_TOKEN), or
                              --broker-username and --broker-password (PACT_BROKER_USERNAME, PACT_BROKER_PASSWORD)
  --selector <json>           a consumer version selector; may be repeated; default: the main branch, and what is
                              deployed or released
  --pending                   pacts that the branch never verified may fail
  --include-wip-since <date>  pacts in work too
  --publish                   publishes the results, under
  --provider-version <v>, --provider-branch <b>, --provider-tag <t>, --build-url <URL>

Exit codes: 0 all verified, 1 findings, 2 bad input or nothing could be verified.
`;

/** Null when no broker is named. A broker in the environment counts only where no pact is named otherwise (`isAlone`). */
export const readBrokerAccess = (
  values: Partial<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>>,
  isAlone: boolean,
): BrokerAccess | null => {
  const read = (option: string, variable: string): string | undefined => {
    const value = values[option];
    return typeof value === 'string' ? value : env[variable] || undefined;
  };
  if (values.broker === '') throw new Problem('--broker needs a URL.');
  const url = isAlone ? read('broker', 'PACT_BROKER_BASE_URL') : values.broker;
  if (typeof url !== 'string') return null;
  const [token, username, password] = [
    read('broker-token', 'PACT_BROKER_TOKEN'),
    read('broker-username', 'PACT_BROKER_USERNAME'),
    read('broker-password', 'PACT_BROKER_PASSWORD'),
  ];
  return {
    url: url.replace(/\/+$/, ''),
    ...(token && { token }),
    ...(username && { username }),
    ...(password && { password }),
  };
};

const DEFAULT_SELECTORS: ConsumerVersionSelector[] = [
  { mainBranch: true },
  { deployedOrReleased: true },
];

export const readSelectors = (texts: readonly string[]): ConsumerVersionSelector[] =>
  texts.length === 0 ? DEFAULT_SELECTORS : texts.map(readSelector);

const readSelector = (selector: string): ConsumerVersionSelector => {
  try {
    const value: unknown = JSON.parse(selector);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as ConsumerVersionSelector;
    }
  } catch {
    // The same sentence as for JSON that is no object.
  }
  throw new Problem(`--selector ${selector} is no JSON object, such as {"mainBranch": true}.`);
};
