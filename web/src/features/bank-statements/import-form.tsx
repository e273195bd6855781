import { formatCounted } from '@cairn/gateway-contracts/counted'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { getErrorMessage } from '../../shared/api/failure.ts'
import { toMinor } from '../../shared/money/money.ts'
import { Button } from '../../shared/ui/button.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { FileDrop } from '../../shared/ui/file-drop.tsx'
import { InlineMoney, MoneyText } from '../../shared/ui/money-text.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { ColumnChoices } from './column-choices.tsx'
import { bankStatementQueries, type StatementColumns, useImportStatement } from './queries.ts'

/** Imports a statement. Nothing is stored before the user has confirmed the previewed lines. */
export function ImportForm({ option, onDone }: { option: string; onDone: () => void }) {
  const [file, setFile] = useState<File | null>(null)
  return (
    <div className="grid gap-5">
      <FileDrop
        label="Statement of the bank"
        hint="CSV, at most 2 MB and 5,000 lines"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        file={file}
        onFile={setFile}
      />
      {file !== null && <Preview key={file.name} option={option} file={file} onDone={onDone} />}
    </div>
  )
}

type PreviewProps = { option: string; file: File; onDone: () => void }

function Preview({ option, file, onDone }: PreviewProps) {
  const [columns, setColumns] = useState<StatementColumns>({})
  const query = useQuery(bankStatementQueries.previewImport(option, file, columns))
  const importing = useImportStatement(option)
  const preview = query.data
  const submit = () =>
    importing.mutate(
      { file, columns },
      {
        onSuccess: ({ statement, matched }) => {
          const added = statement.linesAdded
          notifySuccess(`${formatCounted(added, 'new line')}, ${matched} matched.`)
          onDone()
        },
      },
    )
  if (query.isError) {
    return (
      <Notice tone="error">{getErrorMessage(query.error, 'The file could not be read.')}</Notice>
    )
  }
  if (preview === undefined) return <Skeleton className="h-40 w-full rounded-card" />
  const { problem, lines, sample, opening, closing } = preview
  return (
    <>
      {problem !== null && <Notice tone="warning">{problem}.</Notice>}
      <ColumnChoices
        headings={preview.headings}
        guessed={preview.columns}
        chosen={columns}
        isDayOrderOpen={preview.isDayOrderOpen}
        onChange={setColumns}
      />
      {sample.length > 0 && <Sample sample={sample} lines={lines} />}
      {problem === null && opening !== null && closing !== null && (
        <p className="text-14">
          It begins with <InlineMoney minor={toMinor(opening)} /> and ends with{' '}
          <InlineMoney minor={toMinor(closing)} />.
        </p>
      )}
      {importing.isError && (
        <Notice tone="error">
          {getErrorMessage(importing.error, 'The statement was not imported.')}
        </Notice>
      )}
      <Button
        look="primary"
        className="justify-self-end"
        pending={importing.isPending}
        disabled={problem !== null || query.isFetching}
        onClick={submit}
      >
        {describeImport(lines)}
      </Button>
    </>
  )
}

function describeImport(lines: number): string {
  if (lines === 0) return 'Import'
  return `Import ${formatCounted(lines, 'line')}`
}

type SampleLine = { day: string; amount: number; reference: string }

function Sample({ sample, lines }: { sample: readonly SampleLine[]; lines: number }) {
  return (
    <div className="grid gap-1.5">
      <h3 className="font-medium text-14">
        {lines > sample.length ? `The first ${sample.length} lines` : 'The lines'}
      </h3>
      <ul className="divide-y divide-line rounded-card border border-line text-14">
        {sample.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines keep their order, and two may be equal
          <li key={index} className="flex items-baseline justify-between gap-3 px-3 py-2">
            <span className="grid min-w-0">
              <DateText at={line.day} format="day" />
              <span className="truncate text-12 text-muted">{line.reference}</span>
            </span>
            <MoneyText minor={toMinor(line.amount)} signed />
          </li>
        ))}
      </ul>
    </div>
  )
}
