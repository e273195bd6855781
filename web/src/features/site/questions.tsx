import { Section } from './section.tsx'

const QUESTIONS = [
  {
    question: 'How do I start?',
    answer:
      'Create an account, confirm your e-mail with the four-digit code, and deposit by one of the offered methods. Once a person has checked your receipt, your balance grows and you can choose a plan.',
  },
  {
    question: 'Is my profit guaranteed?',
    answer:
      'No. Each plan states its profit before you pay, and the operator promises it from its own reserve. The reserve may hold less than all it has promised. You can lose all the money you invest.',
  },
  {
    question: 'When can I withdraw?',
    answer:
      'What stands in your wallet, as balance, profit or referral earnings, can be withdrawn at any time to a bank account that you added. The amount is set aside at once and paid after a person has approved it. What a running plan holds comes back when its term ends, if the plan returns it.',
  },
] as const

export function Questions() {
  return (
    <Section title="Questions and answers">
      <div className="max-w-3xl divide-y divide-line border-line border-y">
        {QUESTIONS.map(({ question, answer }) => (
          <details key={question} className="group py-4">
            <summary className="font-semibold text-16 marker:text-accent">{question}</summary>
            <p className="pt-3 text-16 text-muted">{answer}</p>
          </details>
        ))}
      </div>
    </Section>
  )
}
