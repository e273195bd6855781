const SHOWN = 8

/**
 * Shows the first characters of a hash. The full hash is in the tooltip, in copied text and for assistive
 * technology.
 */
export function HashText({ hash, whole = false }: { hash: string; whole?: boolean }) {
  return (
    <code title={hash} className="tabular break-all">
      {whole ? hash : `${hash.slice(0, SHOWN)}…`}
    </code>
  )
}
