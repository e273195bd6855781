import { parseMoney } from '../../shared/money/money.ts'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import type { ChangeDetail } from './queries.ts'

type Line = ChangeDetail['lines'][number]

/** The number of characters above which a text gets the whole width of a narrow window. */
const SHORT_CHARACTERS_MAX = 60

/**
 * Shows each changed value before and after the change, side by side. Shows an unchanged value, or
 * a value of a new object, only once.
 */
export function ChangeLines({ lines }: { lines: readonly Line[] }) {
  const filled = lines.filter(({ before, after }) => before !== null || after !== null)
  const isNew = filled.every(({ before }) => before === null)
  return (
    <section aria-label="Changes" className="rounded-card border border-line">
      <ul className="divide-y divide-line">
        {filled.map((line) => (
          <li key={line.label} className="grid gap-2 px-4 py-3 text-14">
            <h3 className="font-medium">{line.label}</h3>
            {isNew ? <NewValue line={line} /> : <Change line={line} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

function NewValue({ line }: { line: Line }) {
  if (line.after === null) return null
  return (
    <p className="wrap-anywhere font-semibold">
      <Value line={line} value={line.after} name="New" />
    </p>
  )
}

function Change({ line }: { line: Line }) {
  const { before, after } = line
  if (before === after && after !== null) {
    return (
      <p className="wrap-anywhere">
        <Value line={line} value={after} name="Unchanged" />{' '}
        <span className="whitespace-nowrap text-12 text-muted">unchanged</span>
      </p>
    )
  }
  const isLong = [before, after].some((value) => (value ?? '').length > SHORT_CHARACTERS_MAX)
  return (
    <dl className={isLong ? 'grid gap-3 sm:grid-cols-2' : 'grid grid-cols-2 gap-3'}>
      <Side line={line} name="Before" value={before} />
      <Side line={line} name="After" value={after} isNew />
    </dl>
  )
}

type SideProps = { line: Line; name: string; value: string | null; isNew?: boolean }

function Side({ line, name, value, isNew = false }: SideProps) {
  return (
    <div className="min-w-0">
      <dt className="text-12 text-muted">{name}</dt>
      <dd className={isNew ? 'wrap-anywhere font-semibold' : 'wrap-anywhere'}>
        {value === null ? (
          <span className="font-normal text-muted">None</span>
        ) : (
          <Value line={line} value={value} name={name} />
        )}
      </dd>
    </div>
  )
}

function Value({ line, value, name }: { line: Line; value: string; name: string }) {
  if (line.type === 'money') {
    const minor = parseMoney(value.replace('-', ''))
    if (minor === null) return value
    return <MoneyText minor={value.startsWith('-') ? -minor : minor} />
  }
  if (line.type === 'image') {
    return (
      <a href={value} target="_blank" rel="noreferrer" className="block w-fit">
        <img
          src={value}
          alt={`${line.label}, ${name.toLowerCase()}`}
          className="max-h-48 rounded-card border border-line bg-white object-contain"
        />
      </a>
    )
  }
  if (line.type === 'document') {
    return (
      <a href={value} target="_blank" rel="noreferrer" className="inline-block py-0.5 underline">
        Open the document
      </a>
    )
  }
  // The API sends these values in lower case, so they are shown with a capital letter.
  const isName = ['Account', 'From', 'Status'].includes(line.label)
  return (
    <span className={isName ? 'inline-block first-letter:uppercase' : 'whitespace-pre-line'}>
      {value}
    </span>
  )
}
