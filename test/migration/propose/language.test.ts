import { expect, test } from 'vitest';
import { functionWordsOf } from '../../../compiler/gardens/language/function-words.ts';
import { languageIn } from '../../../compiler/migration/propose/language.ts';

test.each([
  ['en', 'The refund is for the customer who has returned the parcel, and it is paid within two weeks.'],
  ['de', 'Die Rückzahlung ist für den Kunden, der das Paket nicht behält, und sie wird mit der Rechnung gezahlt.'],
  ['fr', 'Le remboursement est pour les clients qui ont rendu le colis, avec la facture et dans les deux semaines.'],
  ['pt', 'O reembolso é para os clientes que não querem o pacote, e uma fatura é paga com ele em duas semanas.'],
  ['es', 'El reembolso es para los clientes que no quieren el paquete, y se paga con la factura en dos semanas.'],
  ['zh', '客户退回包裹后，两周之内退款，并且附上发票。'],
  ['ja', 'お客様が荷物を返した後、二週間以内に返金します。請求書も付けます。'],
  ['ko', '고객이 소포를 반품하면 이 주 안에 환불합니다.'],
  ['ru', 'Возврат выплачивается клиенту, который вернул посылку, вместе со счётом и в течение двух недель.'],
  ['uk', 'Повернення коштів виплачується клієнтові, який повернув посилку, і разом із рахунком.'],
])('the language of texts in “%s” is known by their script, letters and small words', async (language, text) => {
  expect(await languageIn([text], functionWordsOf)).toBe(language);
});

test('the language of texts is English where more of them are in English than in any other, whatever their code says', async () => {
  const english = 'This is what the refund is for.\n\n```\n客户退回包裹后，两周之内退款\n```\n';
  expect(await languageIn([english, english, '客户退回包裹后，两周之内退款。'], functionWordsOf)).toBe('en');
});
