// Says that a change waits for review, with a link to it.
import { Alert } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ApiError } from '../api/errors.ts';

/** Undefined for another error, and for a change that could not be stored. */
export const readWaiting = ({ code, facts }: ApiError) => {
  const { sandbox_id: sandbox, change_set_id: id } = facts;
  const isNamed = typeof sandbox === 'string' && typeof id === 'string';
  return code === 'review_required' && isNamed ? { sandbox, id } : undefined;
};

export const ReviewNotice = ({ waiting }: { waiting: { sandbox: string; id: string } }) => (
  <Alert color="blue" role="status" title="This sandbox requires a review">
    Nothing is changed yet. Your change waits as{' '}
    <Link to="/s/$sandbox/change-sets/$id" params={waiting}>
      a change set
    </Link>
    , until it is approved.
  </Alert>
);
