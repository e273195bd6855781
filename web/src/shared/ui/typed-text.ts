import { useEffect, useState } from 'react'

const TYPING_PAUSE_MS = 300

/**
 * The text of an input that asks for data, with the `value` that the page shows. Returns the text and the function that sets it.
 * The text is sent after a pause in typing, and not on each key press. It follows each change of
 * `value` that this input has not sent, such as the Back button.
 */
export function useTypedText(
  value: string,
  send: (text: string) => void,
): readonly [typed: string, setTyped: (text: string) => void] {
  const [typed, setTyped] = useState(value)
  const [shown, setShown] = useState(value)
  // The shown value and the texts that were sent after it. The page shows a sent text only after a
  // moment. That text must not replace what was typed in this moment.
  const [sent, setSent] = useState<readonly string[]>([value])
  if (shown !== value) {
    setShown(value)
    const place = sent.lastIndexOf(value)
    setSent(place === -1 ? [value] : sent.slice(place))
    if (place === -1) setTyped(value)
  }
  useEffect(() => {
    if (typed === sent.at(-1)) return
    const timer = setTimeout(() => {
      setSent((texts) => [...texts, typed])
      send(typed)
    }, TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  })
  return [typed, setTyped]
}
