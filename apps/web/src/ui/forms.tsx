// A form that keeps its values after an error, and shows the service's messages at its fields.

import { Alert, Button, Group, Modal, Text, Textarea } from '@mantine/core';
import type { UseFormInput } from '@mantine/form';
import { useForm } from '@mantine/form';
import type { QueryKey } from '@tanstack/react-query';
import { useMutation } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { lazy, Suspense } from 'react';
import { listOtherProblems, readWaiting, toApiError, toFieldErrors } from '../api/errors.ts';
import { notifyDone } from '../api/notify.ts';
import { CopyableId } from './copyable.tsx';

type Fields = Record<string, unknown>;

export type ServerFormOptions<Values extends Fields, Answer> = UseFormInput<Values> & {
  /** Sends the values. If it throws, the fields and FormError show the error. */
  send: (values: Values) => Promise<Answer>;
  /** The queries to invalidate on success, each by a prefix of its key. */
  invalidates?: readonly QueryKey[];
  /** The notification on success. */
  done?: string | ((values: Values) => string);
  onDone: (answer: Answer, values: Values) => unknown;
};

export const useServerForm = <Values extends Fields, Answer>({
  send,
  invalidates,
  done,
  onDone,
  ...input
}: ServerFormOptions<Values, Answer>) => {
  const form = useForm<Values>(input);
  const mutation = useMutation({
    mutationFn: send,
    meta: { invalidates, showsFailure: true },
    onSuccess: (answer, values) => {
      if (done) notifyDone(typeof done === 'string' ? done : done(values));
      return onDone(answer, values);
    },
    onError: (error) => {
      const errors = toFieldErrors(toApiError(error));
      form.setErrors(errors);
      const [first] = Object.keys(errors);
      if (first) form.getInputNode(first as never)?.focus();
    },
  });
  return {
    form,
    /** For <form onSubmit>. */
    submit: form.onSubmit((values) => mutation.mutate(values)),
    isSending: mutation.isPending,
    /** For FormError. */
    error: mutation.error,
    /** The fields that show their own problems. */
    fields: Object.keys(input.initialValues ?? {}),
  };
};

/** For <form onSubmit> of forms that do not use `useServerForm`. */
export const submitBy = (send: () => void) => (event: FormEvent) => {
  event.preventDefault();
  send();
};

type ReasonInputProps = {
  value: string;
  onChange: (reason: string) => void;
  /** The places that show the reason. */
  description?: string;
};

/** The reason for a change. Send empty text as no reason: `reason.trim() || undefined`. */
export const ReasonInput = ({
  value,
  onChange,
  description = 'Shown in the history. Optional.',
}: ReasonInputProps) => (
  <Textarea
    label="Reason"
    description={description}
    autosize
    minRows={1}
    maxRows={5}
    maxLength={1000}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);

/** Rare, so it is not part of the first load. */
const ReviewNotice = lazy(() =>
  import('./review-notice.tsx').then((m) => ({ default: m.ReviewNotice })),
);

type FormErrorProps = {
  /** Nothing is shown without an error. */
  error: unknown;
  /** Fields that show their own problems, which are not repeated here. */
  fields: readonly string[];
};

/** Shown above a form: the service's message, and every problem without a field. */
export const FormError = ({ error, fields }: FormErrorProps) => {
  if (!error) return null;
  const facts = toApiError(error);
  const waiting = readWaiting(facts);
  if (waiting) {
    return (
      <Suspense>
        <ReviewNotice waiting={waiting} />
      </Suspense>
    );
  }
  const problems = listOtherProblems(facts, fields);
  // Without a list of problems, the message is the only place that names the reason.
  const isListed = facts.code === 'input_invalid' && facts.detail.length > 0;
  const title = isListed ? 'Some fields are not valid.' : facts.desc;
  return (
    <Alert color="red" role="alert" title={title}>
      {problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
      {facts.requestId && (
        <span>
          Request <CopyableId id={facts.requestId} label="request id" short />
        </span>
      )}
    </Alert>
  );
};

type UnsavedGuardProps = {
  isUnsaved: boolean;
  /** A search parameter of the URL that selects what the form edits. Default: none. */
  parameter?: string;
};

/**
 * Asks before the user leaves a page with unsaved changes: by a link, by Back, and (with the browser's message) by
 * closing the tab. A change of only the URL's search part does not leave the page, except a change of `parameter`.
 */
export const UnsavedGuard = ({ isUnsaved, parameter }: UnsavedGuardProps) => {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isUnsaved &&
      (current.pathname !== next.pathname ||
        readParameter(current.search, parameter) !== readParameter(next.search, parameter)),
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  });
  return (
    <Modal
      opened={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title="Leave without saving?"
    >
      <Text mb="md">Your changes on this page are not saved.</Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => blocker.proceed?.()}>
          Discard changes
        </Button>
        <Button data-autofocus onClick={() => blocker.reset?.()}>
          Keep editing
        </Button>
      </Group>
    </Modal>
  );
};

const readParameter = (search: object, parameter: string | undefined): unknown =>
  parameter && (search as Fields)[parameter];
