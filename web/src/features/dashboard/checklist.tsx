import type { UserStats } from '@cairn/gateway-contracts'
import { ArrowRight, Circle, CircleCheck } from 'lucide-react'
import { Link } from 'react-router-dom'

import { createStoredChoice, useStoredChoice } from '../../shared/preferences/stored-choice.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { cx } from '../../shared/ui/cx.ts'
import type { SignedIn } from '../sessions/index.ts'

const checklistChoice = createStoredChoice('cairn.checklist', ['shown', 'closed'], 'shown')

/** Lists the first steps of a new investor until all are done. */
export function Checklist({ me, stats }: { me: SignedIn; stats: UserStats }) {
  const isClosed = useStoredChoice(checklistChoice) === 'closed'
  const steps = [
    { words: 'Confirm your e-mail', isDone: me.isEmailVerified, to: null },
    {
      words: 'Make a deposit',
      isDone: stats.total_deposit > 0,
      to: '/manage/investor/deposit',
    },
    {
      words: 'Open your first investment',
      isDone: stats.total_investment > 0,
      to: '/manage/investor/investments?view=new',
    },
    {
      words: 'Add the bank account you withdraw to',
      isDone: me.bankAccounts.length > 0,
      to: '/manage/investor/transactions?banks=open',
    },
    {
      words: 'Set up two-factor authentication',
      isDone: me.isMfaEnabled,
      to: '/manage/investor/settings?tab=security',
    },
  ]
  const done = steps.filter(({ isDone }) => isDone).length
  if (isClosed || done === steps.length) return null
  return (
    <Card>
      <CardHeader
        title="Getting started"
        note={`${done} of ${steps.length} done`}
        action={
          <Button size="small" look="quiet" onClick={() => checklistChoice.set('closed')}>
            Hide
          </Button>
        }
      />
      <ol className="grid gap-x-8 p-2 sm:grid-cols-2">
        {steps.map(({ words, isDone, to }) => (
          <li key={words}>
            {isDone || to === null ? (
              <Step words={words} isDone={isDone} />
            ) : (
              <Link to={to} className="block rounded-card hover:bg-sunken">
                <Step words={words} isDone={false} />
              </Link>
            )}
          </li>
        ))}
      </ol>
    </Card>
  )
}

function Step({ words, isDone }: { words: string; isDone: boolean }) {
  const Icon = isDone ? CircleCheck : Circle
  return (
    <span className="flex min-h-10 items-center gap-3 px-3 py-1.5 text-14">
      <Icon
        aria-hidden="true"
        className={cx('size-5 shrink-0', isDone ? 'text-success' : 'text-muted')}
      />
      <span className={isDone ? 'text-muted' : 'font-medium'}>
        {words}
        {isDone && <span className="sr-only">, done</span>}
      </span>
      {!isDone && <ArrowRight aria-hidden="true" className="ml-auto size-4 text-muted" />}
    </span>
  )
}
