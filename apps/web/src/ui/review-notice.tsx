// Says that a change waits for review, with a link to it.
import { Alert } from '@mantine/core';
import { Link } from '@tanstack/react-router';

type ReviewNoticeProps = { waiting: { sandbox: string; id: string } };

export const ReviewNotice = ({ waiting }: ReviewNoticeProps) => (
  <Alert color="blue" role="status" title="This sandbox requires a review">
    Nothing is changed yet. Your change waits as{' '}
    <Link to="/s/$sandbox/change-sets/$id" params={waiting}>
      a change set
    </Link>
    , until it is approved.
  </Alert>
);
