// The review of a change set: its approvals, a rejection, and what people said about it.
import { Alert, Button, Stack, Text, Textarea, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { usePermission } from '../../api/me.ts';
import { FormError, useServerForm } from '../../ui/forms.tsx';
import { usePagedRows } from '../../ui/table/paged-rows.ts';
import { TimeText } from '../../ui/time.tsx';
import { AccountName } from '../accounts/account-name.tsx';
import { CHANGE_SET_KEYS } from './change-set-queries.ts';
import type { ReviewedChangeSet, SetComment } from './review-queries.ts';
import { commentsOptions, countMissing } from './review-queries.ts';
import classes from './review-section.module.css';

type SectionProps = { set: ReviewedChangeSet };

export const ReviewSection = ({ set }: SectionProps) => {
  const mayComment = usePermission(
    ['sandbox:config:edit', 'sandbox:config:approve'],
    set.sandbox_id,
  );
  const comments = usePagedRows(commentsOptions(set.sandbox_id, set.change_set_id));
  const { rejection } = set.review;
  return (
    <section aria-label="Review">
      <Title order={2} mb={4}>
        Review
      </Title>
      <Stack gap="sm" maw={720}>
        <ApprovalState set={set} />
        {rejection && (
          <Alert color="red" title="Rejected">
            <p className={classes.text}>{rejection.reason}</p>
            <Text size="xs">
              <AccountName id={rejection.account_id} />, <TimeText at={rejection.at} />
            </Text>
          </Alert>
        )}
        {comments.rows.length > 0 && (
          <ul className="plain" aria-label="Comments">
            {comments.rows.map((comment) => (
              <Comment key={comment.comment_id} comment={comment} />
            ))}
          </ul>
        )}
        {comments.hasMore && (
          <Button variant="default" onClick={comments.loadMore}>
            Show more
          </Button>
        )}
        {mayComment && <CommentForm set={set} />}
      </Stack>
    </section>
  );
};

/** In an open set: how many approvals it has, and whose. */
const ApprovalState = ({ set }: SectionProps): ReactNode => {
  const { required_approvals: required, approvals } = set.review;
  if (set.state === 'applied' || set.state === 'reverted' || set.state === 'cancelled') return null;
  const counted = approvals.filter(({ counts }) => counts).length;
  const words =
    required === 0
      ? `This sandbox requires no approval.${counted > 0 ? ` Approvals: ${counted}.` : ''}`
      : `${counted} of ${required} required ${required === 1 ? 'approval' : 'approvals'}.`;
  const lost = approvals.filter(({ counts }) => !counts);
  const next = countMissing(set) > 0 && set.state === 'draft' && ' Submit it for review.';
  return (
    <div>
      <p className={classes.text}>
        {words}
        {next}
      </p>
      {lost.map(({ account_id }) => (
        <p key={account_id} className={classes.text}>
          The approval by <AccountName id={account_id} /> no longer counts: the account is disabled
          or may no longer approve.
        </p>
      ))}
    </div>
  );
};

const DEEDS: Record<SetComment['kind'], string> = {
  comment: 'commented',
  approval: 'approved',
  rejection: 'rejected',
  bypass: 'applied without approval',
};

const Comment = ({ comment }: { comment: SetComment }) => (
  <li className={classes.comment}>
    <Text size="xs" c="dimmed" component="div">
      <AccountName id={comment.account_id} /> {DEEDS[comment.kind]}
      {comment.withdrawn && ' (withdrawn)'}, <TimeText at={comment.at} />
    </Text>
    {comment.text && <p className={classes.text}>{comment.text}</p>}
  </li>
);

const CommentForm = ({ set: { sandbox_id, change_set_id } }: SectionProps) => {
  const server = useServerForm({
    initialValues: { text: '' },
    validate: { text: (text) => (text.trim() === '' ? 'Type a comment.' : null) },
    send: ({ text }) =>
      api.changeSets.comment.mutate({ sandbox_id, change_set_id, text: text.trim() }),
    invalidates: CHANGE_SET_KEYS,
    onDone: (): void => server.form.reset(),
  });
  return (
    <form onSubmit={server.submit} noValidate>
      <Stack gap="xs" align="flex-start">
        <FormError error={server.error} fields={server.fields} />
        <Textarea
          w="100%"
          label="Comment"
          autosize
          minRows={2}
          maxLength={2_000}
          {...server.form.getInputProps('text')}
        />
        <Button type="submit" variant="default" loading={server.isSending}>
          Comment
        </Button>
      </Stack>
    </form>
  );
};
