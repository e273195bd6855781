import { WifiOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Says that the data may be outdated while the connection is lost. */
export function OfflineBar() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status">
      {!isOnline && (
        <p className="flex items-center justify-center gap-2 bg-pending-soft px-5 py-1.5 text-center text-12 text-pending">
          <WifiOff aria-hidden="true" className="size-3.5 shrink-0" />
          You are offline. The figures may be outdated and requests cannot be sent.
        </p>
      )}
    </div>
  )
}
