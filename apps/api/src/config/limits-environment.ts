// The settings of the limits that protect the service: every variable with its form and its default.
import { z } from 'zod';

const wholeNumber = (name: string, lowest: number, highest: number) => {
  const error = `${name} must be a whole number from ${lowest} to ${highest}.`;
  return z
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .refine((value) => value >= lowest && value <= highest, { error });
};

const seconds = (name: string) => wholeNumber(name, 1, 600);
const megabytes = (name: string) => wholeNumber(name, 16, 65_536);

export const LimitsEnvironment = z.object({
  MAX_CONNECTIONS: wholeNumber('MAX_CONNECTIONS', 10, 1_000_000).default(10_000),
  MAX_CONCURRENT_REQUESTS: wholeNumber('MAX_CONCURRENT_REQUESTS', 10, 100_000).default(2_000),
  MAX_WAITING_JOINS: wholeNumber('MAX_WAITING_JOINS', 1, 100_000).default(1_500),
  MAX_UNREAD_ANSWER_MB: megabytes('MAX_UNREAD_ANSWER_MB').default(128),
  MAX_BODY_MB: megabytes('MAX_BODY_MB').default(128),
  HEADERS_TIMEOUT_SECONDS: seconds('HEADERS_TIMEOUT_SECONDS').default(15),
  BODY_TIMEOUT_SECONDS: seconds('BODY_TIMEOUT_SECONDS').default(15),
  REQUEST_TIMEOUT_SECONDS: seconds('REQUEST_TIMEOUT_SECONDS').default(60),
  ANSWER_TIMEOUT_SECONDS: seconds('ANSWER_TIMEOUT_SECONDS').default(30),
  RATE_LIMIT_PER_SECOND: wholeNumber('RATE_LIMIT_PER_SECOND', 1, 100_000).optional(),
  RATE_LIMIT_BURST: wholeNumber('RATE_LIMIT_BURST', 1, 1_000_000).optional(),
});
export type LimitsEnvironment = z.infer<typeof LimitsEnvironment>;
