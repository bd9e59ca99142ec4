// The dialogs of every page: a form, a confirmation, and a long operation with progress.

import type { ModalProps } from '@mantine/core';
import { Alert, Box, Button, Group, Modal, Progress, Stack, Text, TextInput } from '@mantine/core';
import { isSameName } from '@muster/contract';
import type { QueryKey } from '@tanstack/react-query';
import { useMutation } from '@tanstack/react-query';
import type { FocusEvent, FormEvent, ReactNode } from 'react';
import { useRef, useState } from 'react';
import { notifyDone, notifyWithLink } from '../api/notify.ts';
import type { Sandbox } from '../api/sandboxes.ts';
import { FormError } from './forms.tsx';

type DialogFormProps = {
  /** What `useServerForm` returns. */
  server: {
    submit: (event?: FormEvent<HTMLFormElement>) => void;
    isSending: boolean;
    error: unknown;
    fields: readonly string[];
    /** Replaces the error of the form. */
    failure?: ReactNode;
    /** Disables sending. `failure` explains why. */
    isWaiting?: boolean;
  };
  /** The label of the button: "Save". Without it, the dialog can only be closed. */
  action?: string;
  isDestructive?: boolean;
  isDisabled?: boolean;
  onClose: () => void;
  children: ReactNode;
};

/** The content of a dialog with a form: the error, the fields and the two buttons. */
export const DialogForm = (props: DialogFormProps) => {
  const { server, action, isDestructive, isDisabled, onClose } = props;
  return (
    <form onSubmit={server.submit} noValidate>
      <Stack gap="sm">
        {server.failure ?? <FormError error={server.error} fields={server.fields} />}
        {props.children}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {action ? 'Cancel' : 'Close'}
          </Button>
          {action && (
            <Button
              type="submit"
              color={isDestructive ? 'red' : undefined}
              loading={server.isSending}
              disabled={isDisabled || server.isWaiting}
            >
              {action}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
};

/** A dialog that asks before Esc, a click outside of it or its close button discard typed text. */
export const Dialog = ({ children, onClose, ...modal }: ModalProps) => {
  const [isAsking, setAsking] = useState(false);
  const typed = useTypedText();
  const close = () => {
    // After this key event, which would otherwise also reach the question and close it.
    if (typed.hasChanged()) setTimeout(() => setAsking(true));
    else onClose();
  };
  return (
    <>
      <Modal
        {...modal}
        onClose={close}
        {...(isAsking && { closeOnEscape: false, closeOnClickOutside: false, trapFocus: false })}
      >
        <Box onFocus={typed.onFocus}>{children}</Box>
      </Modal>
      <Modal opened={isAsking} onClose={() => setAsking(false)} title="Discard your changes?">
        <Text mb="md">The text that you entered is not saved.</Text>
        <Group justify="flex-end" gap="xs">
          <Button
            variant="default"
            onClick={() => {
              setAsking(false);
              onClose();
            }}
          >
            Discard changes
          </Button>
          <Button data-autofocus onClick={() => setAsking(false)}>
            Keep editing
          </Button>
        </Group>
      </Modal>
    </>
  );
};

type TextElement = HTMLInputElement | HTMLTextAreaElement;

/** Compares each text field with its value when it received the focus first. */
const useTypedText = () => {
  const initial = useRef(new Map<TextElement, string>());
  return {
    onFocus: ({ target }: FocusEvent) => {
      const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
      if (isText && !initial.current.has(target)) initial.current.set(target, target.value);
    },
    hasChanged: () =>
      [...initial.current].some(([field, value]) => field.isConnected && field.value !== value),
  };
};

type FormDialogProps = DialogFormProps & { title: string; size?: 'lg' | 'xl' };

/** A dialog with one form. Mount it only while it is open, so that its state is reset each time. */
export const FormDialog = ({ title, size, ...form }: FormDialogProps) => (
  <Dialog opened onClose={form.onClose} title={title} size={size}>
    <DialogForm {...form} />
  </Dialog>
);

type ConfirmDialogProps<Answer> = {
  /** Absent if the dialog is mounted only while it is open. */
  opened?: boolean;
  onClose: () => void;
  /** A question: "Delete 3 Items?" */
  title: string;
  /** The text of the dialog: what will happen, and whether it can be undone. */
  children: ReactNode;
  /** The label of the button: "Delete". */
  action: string;
  isDestructive?: boolean;
  /** Disables the action, while a field of the dialog is missing. */
  isDisabled?: boolean;
  /** The affected sandbox. If it is protected, the user must type its name, which `onConfirm` receives. */
  sandbox?: Sandbox;
  /** Requires the name even if the sandbox is not protected. */
  needsName?: boolean;
  /** If it throws, the dialog stays open and shows the error. */
  onConfirm: (confirmation: { confirm_sandbox_name?: string }) => Promise<Answer>;
  /** The queries to invalidate on success, each by a prefix of its key. */
  invalidates?: readonly QueryKey[];
  /** The notification on success. One with a link or a button remains visible longer. */
  done?: string | ((answer: Answer) => ReactNode);
  /** Called before the dialog closes. */
  onDone?: (answer: Answer) => void;
};

/** Confirms an action that is hard to undo. In a protected sandbox, also asks for the sandbox's name. */
export const ConfirmDialog = <Answer,>({
  opened = true,
  onClose,
  title,
  ...question
}: ConfirmDialogProps<Answer>) => (
  <Dialog opened={opened} onClose={onClose} title={title}>
    <Question {...question} onClose={onClose} />
  </Dialog>
);

const Question = <Answer,>(props: Omit<ConfirmDialogProps<Answer>, 'opened' | 'title'>) => {
  const { children, action, isDestructive, sandbox, onConfirm, invalidates, done, onDone } = props;
  const [name, setName] = useState('');
  const isProtected = sandbox?.protected === true;
  const needsName = sandbox !== undefined && (isProtected || props.needsName === true);
  const isReady = !needsName || isSameName(name, sandbox.name);
  const confirmation = useMutation({
    mutationFn: async () => {
      const answer = await onConfirm(needsName ? { confirm_sandbox_name: name } : {});
      // Closed before the queries are refetched, because the question would change with the data.
      const message = typeof done === 'function' ? done(answer) : done;
      if (typeof message === 'string') notifyDone(message);
      else if (message) notifyWithLink(message);
      onDone?.(answer);
      props.onClose();
    },
    meta: { invalidates, showsFailure: true },
  });
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (isReady && !props.isDisabled && !confirmation.isPending) confirmation.mutate();
  };
  return (
    <DialogForm
      server={{ submit, isSending: confirmation.isPending, error: null, fields: [] }}
      action={action}
      isDestructive={isDestructive}
      isDisabled={!isReady || props.isDisabled}
      onClose={props.onClose}
    >
      <div>{children}</div>
      {needsName && (
        <Alert
          color="yellow"
          title={isProtected ? `${sandbox.name} is protected` : 'This deletes a whole sandbox'}
        >
          <TextInput
            label={`Type "${sandbox.name}" to confirm`}
            value={name}
            autoComplete="off"
            data-autofocus
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </Alert>
      )}
      <FormError error={confirmation.error} fields={[]} />
    </DialogForm>
  );
};

type ProgressDialogProps = {
  opened: boolean;
  title: string;
  done: number;
  /** Undefined: the bar shows activity without progress. */
  total?: number;
  /** The unit of the count, if it is not obvious. */
  unit?: string;
  /** False if the next content receives the focus on closing, instead of the control that opened the dialog. */
  returnFocus?: boolean;
  /** Stops after the current step. Absent if it is too late to cancel. */
  onCancel?: () => void;
};

/** A long operation in steps. It cannot be closed by accident, only cancelled. */
export const ProgressDialog = (props: ProgressDialogProps) => {
  const { opened, title, done, total, unit, returnFocus = true, onCancel } = props;
  const percent = total ? Math.min(100, Math.round((100 * done) / total)) : 100;
  const count = done.toLocaleString('en');
  return (
    <Modal
      opened={opened}
      onClose={() => onCancel?.()}
      title={title}
      returnFocus={returnFocus}
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      <Progress value={percent} animated={total === undefined} aria-label={title} mb="xs" />
      <Group justify="space-between">
        <Text size="xs" c="dimmed" className="numbers" aria-live="polite">
          {total === undefined ? count : `${count} of ${total.toLocaleString('en')}`} {unit}
        </Text>
        {onCancel ? (
          <Button variant="default" onClick={onCancel} data-autofocus>
            Cancel
          </Button>
        ) : (
          <Text size="xs">This can no longer be cancelled.</Text>
        )}
      </Group>
    </Modal>
  );
};
