import { Alert } from '@mantine/core';
import type { ErrorCode } from '@muster/contract';
import { ERROR_CATALOGUE } from '@muster/contract';

/** Words for the code that the service put into the address; a stranger's text is never shown. */
export const IssuerError = ({ code }: { code: string | undefined }) => {
  if (code === undefined) return null;
  const isKnown = Object.hasOwn(ERROR_CATALOGUE, code) && code !== 'sign_in_refused';
  return (
    <Alert color="red" role="alert" mb="sm" title="That sign-in did not work">
      {isKnown
        ? ERROR_CATALOGUE[code as ErrorCode].desc
        : 'Only people who were invited by their e-mail address get in.'}
    </Alert>
  );
};
