import type { InvestmentProgress } from '@cairn/gateway-contracts'

type Progress = Pick<
  InvestmentProgress,
  'currentLevel' | 'totalDuration' | 'timingParameter' | 'percentage'
>

/** Returns the completed share of the term and its description, such as `3 of 30 days`. */
export function describeProgress(progress: Progress): { percent: number; words: string } {
  const { currentLevel, totalDuration, timingParameter } = progress
  const percent = Math.min(100, Math.max(0, progress.percentage))
  const done = Math.min(currentLevel, totalDuration)
  const unit = totalDuration === 1 ? timingParameter.slice(0, -1) : timingParameter
  return { percent, words: `${done} of ${totalDuration} ${unit}` }
}
