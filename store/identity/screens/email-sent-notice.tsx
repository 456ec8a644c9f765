import type { ReactNode } from 'react'
import { useRouteLoaderData } from 'react-router'
import { Notice } from '#web/notice.tsx'
import type { ShopConfig } from '#web/shop-config.ts'
import { TextLink } from '#web/text-link.tsx'

/** Confirms that an email was sent. Where emails go to the test outbox instead, it links to the outbox. */
export function EmailSentNotice({ title, children }: { title: string; children: ReactNode }) {
  const shop = useRouteLoaderData<ShopConfig>('root')
  return (
    <Notice kind="success" title={title}>
      {children}
      {shop?.hasOutbox && (
        <>
          {' '}
          In this test store it lies in the{' '}
          <TextLink to="/outbox" reloadDocument>
            outbox
          </TextLink>
          .
        </>
      )}
    </Notice>
  )
}
