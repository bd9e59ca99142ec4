// Says that a change waits for review, with a link to it.
import { Alert } from '@mantine/core';
import { Link } from '@tanstack/react-router';

type ReviewNoticeProps = { waiting: { sandbox: string; id: string } };

export const ReviewNotice = ({ waiting }: ReviewNoticeProps) => (
  <Alert color="blue" role="status" title="This sandbox requires approvals">
    Nothing has changed yet. Your change is in review as{' '}
    <Link to="/s/$sandbox/change-sets/$id" params={waiting}>
      a change set
    </Link>
    . Apply it there once it is approved.
  </Alert>
);
