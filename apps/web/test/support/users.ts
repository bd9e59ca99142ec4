// People who use the app with the mouse or with the keyboard only. Everything that they do is counted.
import { expect } from 'vitest';
import type { Page, PageOptions, Web } from './web.ts';

type Target = ReturnType<Page['locator']>;

export type User = {
  page: Page;
  /** A click, or the same with the keyboard. */
  click(target: Target): Promise<void>;
  /** Replaces the content of a field. */
  type(target: Target, text: string): Promise<void>;
  press(key: string): Promise<void>;
  /** Pastes a text into the focused element, with the event that the browser would send. */
  paste(text: string): Promise<void>;
  /** Chooses a file in the dialog of the browser, which has to be open. */
  chooseFile(name: string, content: Buffer, opens: Target): Promise<void>;
};

export type Users = {
  /** Opens a page as a person. Their actions are counted together. */
  open(path: string, options: PageOptions): Promise<User>;
  countActions(): number;
};

type Hands = Pick<User, 'click' | 'type'>;

/** Each click, each typed field, each key and each chosen file is one action. */
export const createUsers = (web: Web, device: 'mouse' | 'keyboard'): Users => {
  let actions = 0;
  const count = async (action: Promise<unknown>): Promise<void> => {
    actions += 1;
    await action;
  };
  const open: Users['open'] = async (path, options) => {
    const page = await web.open(path, options);
    const hands = device === 'mouse' ? createMouse() : createKeyboard(page);
    return {
      page,
      click: (target) => count(hands.click(target)),
      type: (target, text) => count(hands.type(target, text)),
      press: (key) => count(page.keyboard.press(key)),
      paste: (text) => count(page.evaluate(sendPaste, text)),
      chooseFile: async (name, content, opens) => {
        const dialog = page.waitForEvent('filechooser');
        await count(hands.click(opens));
        const chooser = await dialog;
        await count(chooser.setFiles({ name, mimeType: 'text/csv', buffer: content }));
      },
    };
  };
  return { open, countActions: () => actions };
};

/** Runs in the page. */
const sendPaste = (text: string): void => {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
  document.activeElement?.dispatchEvent(event);
};

const createMouse = (): Hands => ({
  click: async (target) => {
    const id = await target.getAttribute('id');
    const isRadio = (await target.getAttribute('type')) === 'radio';
    // Radio buttons are invisible below their labels.
    await (isRadio ? target.page().locator(`label[for="${id}"]`) : target).click();
  },
  type: (target, text) => target.fill(text),
});

const createKeyboard = (page: Page): Hands => {
  const { keyboard } = page;
  const hasFocus = (target: Target) => target.evaluate((node) => node === document.activeElement);

  const moveTo = async (target: Target): Promise<void> => {
    await target.waitFor({ state: 'attached' });
    for (let presses = 0; presses < MAX_KEYS; presses += 1) {
      if (await hasFocus(target)) return;
      await keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${target}.`);
  };

  /** The arrow keys move through an open list or menu. */
  const pick = async (target: Target): Promise<void> => {
    await target.waitFor();
    const isActive = () =>
      target.evaluate(
        (node) => node === document.activeElement || node.matches('[data-combobox-selected]'),
      );
    for (let presses = 0; presses < MAX_KEYS; presses += 1) {
      if (await isActive()) return keyboard.press('Enter');
      await keyboard.press('ArrowDown');
    }
    throw new Error(`The arrow keys do not reach ${target}.`);
  };

  /** One button of a radio group is in the tab order; the arrow keys choose another one. */
  const chooseRadio = async (target: Target): Promise<void> => {
    await moveTo(page.locator(`[name="${await target.getAttribute('name')}"]:checked`));
    for (let presses = 0; presses < MAX_KEYS; presses += 1) {
      if (await target.isChecked()) return;
      await keyboard.press('ArrowRight');
    }
    throw new Error(`The arrow keys do not reach ${target}.`);
  };

  return {
    click: async (target) => {
      await target.waitFor({ state: 'attached' });
      const kind = await target.evaluate(
        (node) => node.getAttribute('role') ?? node.getAttribute('type'),
      );
      if (kind === 'option' || kind === 'menuitem') return pick(target);
      if (kind === 'radio') return chooseRadio(target);
      await moveTo(target);
      await expect.poll(() => target.evaluate((node) => node.ariaDisabled === 'true')).toBe(false);
      await keyboard.press(kind === 'checkbox' ? 'Space' : 'Enter');
    },
    type: async (target, text) => {
      await moveTo(target);
      await keyboard.press('Control+a');
      await keyboard.type(text);
    },
  };
};

/** More keys than any path of the jobs needs. */
const MAX_KEYS = 120;
