import type { Permission } from '@muster/contract';
import type { ReactNode } from 'react';
import { usePermission } from './me.ts';

type PermittedProps = {
  anyOf: readonly Permission[];
  /** Where it must be held; anywhere when absent. */
  sandbox?: string;
  /** Shown to everyone else; nothing by default. */
  otherwise?: ReactNode;
  children: ReactNode;
};

/** Hides a whole area from people who may not use it. For single actions see ActionButton. */
export const Permitted = ({ anyOf, sandbox, otherwise = null, children }: PermittedProps) =>
  usePermission(anyOf, sandbox) ? children : otherwise;
