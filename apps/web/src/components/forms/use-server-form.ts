// A form whose values are never lost, and whose fields show what the service says about them.
import type { UseFormInput, UseFormReturnType } from '@mantine/form';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { toApiError } from '../../api/api-error.ts';
import { toFieldErrors } from '../../api/field-errors.ts';

type Fields = Record<string, unknown>;

type ServerFormOptions<Values extends Fields, Answer> = UseFormInput<Values> & {
  /** Sends the values. What it throws is shown at the fields and in FormError. */
  send: (values: Values) => Promise<Answer>;
  onDone: (answer: Answer, values: Values) => void;
  /** Handles an error by itself when it answers true, such as a conflict that opens its own dialog. */
  onError?: (error: unknown, values: Values) => boolean;
};

export type ServerForm<Values extends Fields> = {
  form: UseFormReturnType<Values>;
  /** For <form onSubmit>. */
  submit: (event?: FormEvent<HTMLFormElement>) => void;
  isSending: boolean;
  /** For FormError. */
  error: unknown;
};

export const useServerForm = <Values extends Fields, Answer>({
  send,
  onDone,
  onError,
  ...input
}: ServerFormOptions<Values, Answer>): ServerForm<Values> => {
  const form = useForm<Values>(input);
  const [handled, setHandled] = useState<unknown>(null);
  const mutation = useMutation({
    mutationFn: send,
    onSuccess: onDone,
    onError: (error, values) => {
      if (onError?.(error, values)) return setHandled(error);
      const errors = toFieldErrors(toApiError(error));
      form.setErrors(errors);
      const [first] = Object.keys(errors);
      if (first) form.getInputNode(first as never)?.focus();
    },
  });
  return {
    form,
    submit: form.onSubmit((values) => mutation.mutate(values)),
    isSending: mutation.isPending,
    error: mutation.error === handled ? null : mutation.error,
  };
};
