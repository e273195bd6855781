export type ConflictRow = { name: string; saved: string; yours: string }

type ConflictTableProps = { caption: string; header: string; rows: readonly ConflictRow[] }

/** Compares the values that another administrator saved with the values in the form. */
export function ConflictTable({ caption, header, rows }: ConflictTableProps) {
  if (rows.length === 0) return null
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-14">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="text-left text-12 text-muted">
            <th scope="col" className="py-2 pr-3 font-medium">
              {header}
            </th>
            <th scope="col" className="py-2 pr-3 font-medium">
              Saved
            </th>
            <th scope="col" className="py-2 font-medium">
              Yours
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, saved, yours }) => (
            <tr key={name} className="border-line border-t align-top">
              <td className="py-2 pr-3 font-medium">{name}</td>
              <td className="break-words py-2 pr-3">{saved}</td>
              <td className="break-words py-2">{yours}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
