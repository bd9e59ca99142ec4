// The commands of the open page: listed in the palette, run by shortcuts, explained in the help dialog ("?").
import { useCallbackRef } from '@mantine/hooks';
import { useEffect, useSyncExternalStore } from 'react';

type Command = {
  /** A verb and a noun: "Create Item". */
  label: string;
  /** A value of `KeyboardEvent.key`, or one with the prefix `mod+` (Ctrl, or Cmd on a Mac). */
  keys?: string;
  /** Hides shortcuts that only move the focus (j, k, Enter) from the palette. */
  isHidden?: boolean;
  run: () => void;
};

let commands: readonly Command[] = [];
const listeners = new Set<() => void>();

const replace = (next: readonly Command[]) => {
  commands = next;
  for (const listener of listeners) listener();
};

/** The newest command takes precedence, so a dialog's Esc runs before the page's. Returns a function that removes it. */
const addCommand = (command: Command): (() => void) => {
  replace([command, ...commands]);
  return () => replace(commands.filter((known) => known !== command));
};

const listCommands = (): readonly Command[] => commands;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useCommands = (): readonly Command[] => useSyncExternalStore(subscribe, listCommands);

type Options = Command & { enabled?: boolean };

/** Registers a command while the component is mounted and `enabled` (true by default). */
export const useCommand = ({ label, keys, isHidden, run, enabled = true }: Options): void => {
  const latest = useCallbackRef(run);
  useEffect(() => {
    if (!enabled) return;
    return addCommand({ label, keys, isHidden, run: latest });
  }, [label, keys, isHidden, enabled, latest]);
};

/** Listens on the whole page. Returns a function that stops it. */
export const listenForKeys = (): (() => void) => {
  window.addEventListener('keydown', runCommandOf);
  return () => window.removeEventListener('keydown', runCommandOf);
};

const runCommandOf = (event: KeyboardEvent): void => {
  if (event.defaultPrevented || event.isComposing) return;
  const keys = nameKeys(event);
  if (!keys || isTaken(event, keys)) return;
  const command = listCommands().find((known) => known.keys === keys);
  if (!command) return;
  event.preventDefault();
  command.run();
};

/** Shift is part of the character ("?"). Alt is reserved for the browser and keyboard layouts. */
const nameKeys = (event: KeyboardEvent): string | null => {
  if (event.altKey) return null;
  const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return event.ctrlKey || event.metaKey ? `mod+${name}` : name;
};

/** Ignores letters in a text field, Enter on a button, and keys within a dialog. */
const isTaken = (event: KeyboardEvent, keys: string): boolean => {
  if (keys.startsWith('mod+')) return false;
  if (document.querySelector('[aria-modal="true"]')) return true;
  const target = event.target as HTMLElement;
  if (keys === 'Escape') return false;
  if (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return true;
  return keys === 'Enter' && target.closest('a, button, [role="button"], [role="option"]') !== null;
};

const isApple = /mac|iphone|ipad/i.test(navigator.userAgent);

/** Formats "mod+k" as ["Ctrl", "K"] or ["⌘", "K"]. */
export const formatKeys = (keys: string): string[] =>
  keys.split('+').map((key) => {
    if (key === 'mod') return isApple ? '⌘' : 'Ctrl';
    return key.length === 1 ? key.toUpperCase() : key.replace('Escape', 'Esc');
  });
