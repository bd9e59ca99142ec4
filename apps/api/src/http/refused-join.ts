// Describes a refused join of a verified caller for its record: parameters of the path and the reason, never the body.
import type { ErrorCode, ServiceErrorBody, ValidationErrorBody } from '@muster/contract';
import { InvalidRequestError } from '../platform/index.ts';
import type { RefusedRequest } from '../sessions/index.ts';
import type { RequestLocals } from './request.ts';
import { decodePercent } from './request.ts';
import { nameFields } from './request-log.ts';

/** Null for other requests, and for those without a verified credential. */
export const toRefusedJoin = (
  { routeName, rawParams = {}, caller, session, requestId = '' }: RequestLocals,
  error: unknown,
  body: ServiceErrorBody | ValidationErrorBody,
): RefusedRequest | null => {
  if (routeName !== 'joinByPlatformSession' || !caller) return null;
  const { error_code, desc } = body as ServiceErrorBody;
  const isInvalid = error instanceof InvalidRequestError;
  return {
    caller,
    platform: decode(rawParams.platform),
    platformSessionId: decode(rawParams.platform_session_id_base64),
    player: decode(rawParams.player_uuid),
    session,
    errorCode: isInvalid ? error.code : (error_code as ErrorCode),
    sentence: isInvalid ? describeProblems(error) : desc,
    requestId,
  };
};

/** A parameter with a bad escape is kept as it was sent. */
const decode = (raw = ''): string => decodePercent(raw) ?? raw;

const MAX_PROBLEMS = 5;

const describeProblems = ({ problems }: InvalidRequestError): string => {
  const listed = problems.slice(0, MAX_PROBLEMS);
  const places = nameFields(listed);
  const sentences = listed.map(({ msg }, index) => `${places[index]}: ${msg}`);
  const more = problems.length - listed.length;
  return `${sentences.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
};
