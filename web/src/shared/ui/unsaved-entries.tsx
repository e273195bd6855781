import { createContext, type FormEvent, useCallback, useContext, useRef, useState } from 'react'

import { Button } from './button.tsx'
import { focusOnMount } from './focus-on-mount.ts'

type TextField = HTMLInputElement | HTMLTextAreaElement

const TEXT_TYPES = ['text', 'email', 'tel', 'url', 'number', 'textarea']

/**
 * Asks before a dialog closes and loses the text that was entered in its fields. Codes and passwords
 * are lost without a question, and so are choices, because they are entered again in a moment.
 */
export function useUnsavedEntries(isOpen: boolean, onOpenChange: (isOpen: boolean) => void) {
  const edited = useRef(new Set<TextField>())
  const [isAsking, setAsking] = useState(false)
  if (!isOpen && isAsking) setAsking(false)
  const forgetEntries = useCallback(() => {
    edited.current.clear()
    setAsking(false)
  }, [])
  // After a success, most forms leave the page or empty their fields.
  const hasEntries = () =>
    [...edited.current].some((field) => field.isConnected && field.value.trim() !== '')
  return {
    isAsking,
    handleInput: ({ target }: FormEvent) => {
      if (isTextField(target)) edited.current.add(target)
      setAsking(false)
    },
    // The server can refuse what is sent, so the entries are not saved yet.
    handleSubmit: () => setAsking(false),
    handleOpenChange: (next: boolean) => {
      if (!next && hasEntries()) setAsking(true)
      else onOpenChange(next)
    },
    keepEntries: () => setAsking(false),
    discardEntries: () => {
      forgetEntries()
      onOpenChange(false)
    },
    forgetEntries,
  }
}

/** Provides the function of `useForgetEntries` to the content of a dialog. */
export const ForgetEntries = createContext(() => {})

/**
 * Returns a function for a form that stays in its dialog with its entries after they were saved or
 * sent for approval. The dialog then closes without a question until the next entry. Outside of a
 * dialog, the function does nothing.
 */
export function useForgetEntries(): () => void {
  return useContext(ForgetEntries)
}

function isTextField(target: EventTarget): target is TextField {
  const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
  return isField && TEXT_TYPES.includes(target.type) && target.autocomplete !== 'one-time-code'
}

type QuestionProps = { onKeep: () => void; onDiscard: () => void }

export function UnsavedEntriesQuestion({ onKeep, onDiscard }: QuestionProps) {
  return (
    <div
      ref={focusOnMount}
      role="alert"
      tabIndex={-1}
      className="flex flex-wrap items-center justify-end gap-2 border-line border-t px-5 py-3"
    >
      <p className="mr-auto text-14 max-sm:basis-full">Discard what you entered?</p>
      <Button look="danger" onClick={onDiscard}>
        Discard
      </Button>
      <Button look="primary" onClick={onKeep}>
        Keep editing
      </Button>
    </div>
  )
}
