const SHOWN = 8

/**
 * Shows the first characters of a hash, or the whole hash. The tooltip always contains the whole
 * hash.
 */
export function HashText({ hash, whole = false }: { hash: string; whole?: boolean }) {
  return (
    <code title={hash} className="tabular break-all">
      {whole ? hash : `${hash.slice(0, SHOWN)}…`}
    </code>
  )
}
