// What the open page offers to do: listed in the palette, run by its keys, explained under "?".
import { useSyncExternalStore } from 'react';

export type Command = {
  /** A verb and a noun: "Create Item". */
  label: string;
  /** One key as `KeyboardEvent.key` names it, or with `mod+` (Ctrl, on a Mac Cmd). */
  keys?: string;
  /** Keys that only move around (j, k, Enter) would be noise in the palette. */
  isHidden?: boolean;
  run: () => void;
};

let commands: readonly Command[] = [];
const listeners = new Set<() => void>();

const replace = (next: readonly Command[]) => {
  commands = next;
  for (const listener of listeners) listener();
};

/** The newest command comes first: a dialog's Esc before the page's. Returns how to take it back. */
export const addCommand = (command: Command): (() => void) => {
  replace([command, ...commands]);
  return () => replace(commands.filter((known) => known !== command));
};

export const listCommands = (): readonly Command[] => commands;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useCommands = (): readonly Command[] => useSyncExternalStore(subscribe, listCommands);
