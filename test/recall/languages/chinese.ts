import type { SpokenHandbook } from './handbook.ts';

export const CHINESE: SpokenHandbook = {
  units: [
    {
      name: 'branches',
      description: '分支命名规范与合并方式',
      intents: ['新建一个分支', '把代码合并到主干'],
      content:
        '# 分支\n\n功能分支以 feature/ 开头，修复分支以 fix/ 开头，名称用小写英文和连字符。合并前先变基到最新主干，使用压缩合并，合并后删除远程分支。',
    },
    {
      name: 'code-review',
      description: '代码评审的要求与时限',
      intents: ['请别人评审我的改动', '评审意见有分歧'],
      content:
        '# 代码评审\n\n每个改动至少由一位同事批准。评审人应在一个工作日内回复。作者不得自己批准自己的改动。争议由模块负责人裁定。',
    },
    {
      name: 'releases',
      description: '发布新版本的步骤和回滚',
      intents: ['发布一个新版本', '线上出错需要回滚'],
      content:
        '# 发布\n\n每周二上午发布。发布前检查变更日志和版本号。发布后观察错误率三十分钟，如果翻倍，立即回滚到上一个版本并通知值班人员。',
    },
    {
      name: 'types',
      description: '判断数据类型的工具函数',
      intents: ['检查一个值是什么类型'],
      content:
        '# 类型判断\n\n判断数据类型时，优先使用内部工具库 is 中的方法，不要直接写 typeof。数组用 isArray，空值用 isNil。',
    },
    {
      name: 'translations',
      description: '界面文案与多语言翻译',
      intents: ['增加一段界面文字', '翻译缺失'],
      content:
        '# 文案\n\n界面文字一律放在语言包里，禁止硬编码。新增词条要同时提供中文和英文。标点使用全角，数字和单位之间留空格。',
    },
    {
      name: 'secrets',
      description: '密钥与凭据的保管',
      intents: ['保存数据库密码', '密钥泄露了'],
      content:
        '# 密钥\n\n密码、令牌和证书只能存放在密钥库中，不得提交到仓库。一旦泄露，立即作废并轮换，然后报告安全组。',
    },
    {
      name: 'leave',
      description: '请假申请与审批流程',
      intents: ['申请年假', '生病不能上班'],
      content:
        '# 请假\n\n年假至少提前五个工作日在系统里提交，由直属主管审批。病假当天上午十点前告知主管，三天以上需提供医院证明。',
    },
    {
      name: 'expenses',
      description: '差旅费用报销规定',
      intents: ['报销出差的车票', '发票丢了怎么办'],
      content:
        '# 报销\n\n报销须在出差结束后三十天内提交，附上发票原件。住宿每晚不超过六百元。发票遗失时由部门经理书面说明。',
    },
  ],
  questions: [
    ['分支怎么命名', 'branches'],
    ['合并之后远程分支要不要删', 'branches'],
    ['谁可以批准我的改动', 'code-review'],
    ['评审人多久要回复', 'code-review'],
    ['版本发布之后错误率升高了', 'releases'],
    ['什么时候可以发布', 'releases'],
    ['判断数据类型用什么方法', 'types'],
    ['怎样知道一个变量是不是数组', 'types'],
    ['按钮上的文字写在哪里', 'translations'],
    ['英文翻译没有怎么处理', 'translations'],
    ['不小心把密码提交到仓库了', 'secrets'],
    ['令牌放在什么地方', 'secrets'],
    ['下周想休年假', 'leave'],
    ['感冒了今天来不了公司', 'leave'],
    ['出差住酒店最多多少钱', 'expenses'],
    ['没有发票还能报销吗', 'expenses'],
  ],
  offTopic: [
    '明天北京的天气怎么样',
    '推荐一部好看的电影',
    '红烧肉的做法',
    '昨晚的足球比赛谁赢了',
    '帮我写一首关于秋天的诗',
    '火星离地球有多远',
    '如何给猫洗澡',
    '附近有什么好吃的餐馆',
    '学钢琴要从哪里开始',
    '长城是哪个朝代修建的',
    '我的手机屏幕碎了',
    '怎样种植番茄',
  ],
};
