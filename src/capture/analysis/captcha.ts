import type { Page } from '@playwright/test';

/** By what elements a page is known to have the widget of a captcha, one for which somebody has to do something. */
export const CAPTCHA_WIDGETS: readonly { readonly name: string; readonly selector: string }[] = [
  { name: 'reCAPTCHA', selector: '.g-recaptcha[data-sitekey]:not([data-size="invisible"])' },
  { name: 'hCaptcha', selector: '.h-captcha[data-sitekey]:not([data-size="invisible"])' },
  { name: 'Cloudflare Turnstile', selector: '.cf-turnstile[data-sitekey]:not([data-size="invisible"])' },
  {
    name: 'Cloudflare challenge',
    selector:
      '#challenge-form, #challenge-running, #cf-challenge-running, script[src*="/cdn-cgi/challenge-platform/h/"][src*="/orchestrate/"]',
  },
  { name: 'Arkose Labs', selector: '#FunCaptcha, [data-e2e="enforcement-frame"], #arkose-container' },
  { name: 'DataDome', selector: '#ddv1-captcha-container, script[src*="captcha-delivery.com"]' },
  { name: 'HUMAN (PerimeterX)', selector: '#px-captcha, #px-captcha-wrapper' },
  { name: 'AWS WAF', selector: 'awswaf-captcha, #amzn-captcha-verify-button' },
  { name: 'GeeTest', selector: '.geetest_captcha, .geetest_holder, .geetest_radar_btn' },
  { name: 'Friendly Captcha', selector: '.frc-captcha[data-sitekey]' },
  { name: 'ALTCHA', selector: 'altcha-widget' },
  { name: 'Yandex SmartCaptcha', selector: '.smart-captcha[data-sitekey]' },
  { name: 'Tencent Captcha', selector: '#tcaptcha_iframe, #tcaptcha_transform' },
  { name: 'MTCaptcha', selector: '.mtcaptcha' },
];

/** By the addresses of what frames; those of a service that only watches have `size=invisible` in theirs. */
const CAPTCHA_FRAMES: readonly { readonly name: string; readonly url: RegExp }[] = [
  { name: 'reCAPTCHA', url: /^https:\/\/(www\.)?(google\.com|recaptcha\.net)\/recaptcha\/(api2|enterprise)\/anchor\?/ },
  { name: 'hCaptcha', url: /^https:\/\/([\w-]+\.)*hcaptcha\.com\/captcha\// },
  { name: 'Cloudflare Turnstile', url: /^https:\/\/challenges\.cloudflare\.com\// },
  { name: 'Arkose Labs', url: /^https:\/\/([\w-]+\.)*(arkoselabs|funcaptcha)\.com\// },
  { name: 'DataDome', url: /^https:\/\/([\w-]+\.)*captcha-delivery\.com\// },
  { name: 'HUMAN (PerimeterX)', url: /^https:\/\/([\w-]+\.)*px-(cdn|cloud)\.net\/.*captcha/ },
  { name: 'Yandex SmartCaptcha', url: /^https:\/\/smartcaptcha\.yandexcloud\.net\// },
  { name: 'Tencent Captcha', url: /^https:\/\/([\w-]+\.)*captcha\.(qq|qcloud)\.com\// },
];

/** Names the captchas that a page shows in frames. */
export function findCaptchaFrames(page: Page): string[] {
  const urls = page.frames().map((frame) => frame.url());
  return CAPTCHA_FRAMES.filter(({ url }) => urls.some((one) => url.test(one) && !isInvisible(one))).map(
    ({ name }) => name,
  );
}

function isInvisible(url: string): boolean {
  return /[?&#]size=invisible\b/.test(url);
}
