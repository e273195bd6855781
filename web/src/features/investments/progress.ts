import type { InvestmentProgress } from '@cairn/gateway-contracts'

type Progress = Pick<
  InvestmentProgress,
  'currentLevel' | 'totalDuration' | 'timingParameter' | 'percentage'
>

/** Returns the completed units of the term, never more than the term has. */
export function progressOf(progress: Progress): { percent: number; words: string } {
  const { currentLevel, totalDuration, timingParameter } = progress
  const percent = Math.min(100, Math.max(0, progress.percentage))
  const done = Math.min(currentLevel, totalDuration)
  const unit = totalDuration === 1 ? timingParameter.slice(0, -1) : timingParameter
  return { percent, words: `${done} of ${totalDuration} ${unit}` }
}
