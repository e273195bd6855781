import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'

import { Button } from './button.tsx'
import { joinClasses } from './join-classes.ts'

type CopyButtonProps = {
  text: string
  label: string
  notice: string
  noticeSeconds: number
  /** True below a text that ends at the right edge. The notice is then left of the button. */
  isAtEnd?: boolean
}

export function CopyButton({ text, label, notice, noticeSeconds, isAtEnd }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), noticeSeconds * 1000)
    return () => clearTimeout(timer)
  }, [isCopied, noticeSeconds])
  const Icon = isCopied ? Check : Copy
  return (
    <span className={joinClasses('inline-flex items-center gap-2', isAtEnd && 'flex-row-reverse')}>
      <Button size="small" onClick={() => void copyText(text).then(setCopied)} aria-label={label}>
        <Icon aria-hidden="true" className="size-3.5" />
        Copy
      </Button>
      <span role="status" className="text-12 text-success">
        {isCopied && notice}
      </span>
    </span>
  )
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

/**
 * Copies by `execCommand` where the Clipboard API is not available (plain HTTP from another
 * machine).
 */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  return isCopied
}
