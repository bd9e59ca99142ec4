// A button that explains on hover and focus why it is disabled, instead of disappearing.
import type { ButtonProps } from '@mantine/core';
import { Button, Tooltip } from '@mantine/core';
import type { Permission } from '@muster/contract';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps, MouseEventHandler, ReactNode } from 'react';
import { usePermission } from '../api/me.ts';
import { useSandbox } from '../api/sandboxes.ts';
import { explainPermissions } from './permission-labels.ts';

type ActionButtonProps = ButtonProps & {
  /** One of these permissions is required. Default: none. */
  anyOf?: readonly Permission[];
  sandbox?: string;
  /** Another reason why the button is disabled, in one sentence. */
  reason?: string | false;
  type?: 'button' | 'submit';
  onClick?: MouseEventHandler<HTMLButtonElement>;
  children: ReactNode;
};

const EVERYONE: readonly Permission[] = [];

export const ActionButton = ({
  anyOf = EVERYONE,
  sandbox,
  reason,
  ...button
}: ActionButtonProps) => {
  const isPermitted = usePermission(anyOf, sandbox) || anyOf.length === 0;
  const isArchived = useSandbox(sandbox)?.archived !== undefined;
  const why = isPermitted
    ? (isArchived && anyOf.includes('sandbox:config:edit') && ARCHIVED) || reason
    : explainPermissions(anyOf);
  if (!why) return <Button {...button} />;
  return (
    <Tooltip label={why} multiline maw={320}>
      {/* A truly disabled button takes no focus, so that the keyboard would never learn the reason. */}
      <Button {...button} type="button" aria-disabled data-disabled onClick={stopClick} />
    </Tooltip>
  );
};

const ARCHIVED = 'This sandbox is archived and read-only.';

const stopClick: MouseEventHandler = (event) => event.preventDefault();

type LinkButtonProps = ButtonProps & Omit<ComponentProps<'a'>, keyof ButtonProps>;

/** A link that looks like a button. */
export const LinkButton = createLink((props: LinkButtonProps) => (
  <Button component="a" variant="default" {...props} />
));
