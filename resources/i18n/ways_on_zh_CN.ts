<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>CauseBar</name>
    <message>
        <source>Where this comes from</source>
        <translation>依据来源</translation>
    </message>
</context>
<context>
    <name>OtherWayCard</name>
    <message>
        <source>Make that environment…</source>
        <translation>创建该环境…</translation>
    </message>
    <message>
        <source>New training script</source>
        <translation>新建训练脚本</translation>
    </message>
    <message>
        <source>Prove it…</source>
        <translation>实测验证…</translation>
    </message>
</context>
<context>
    <name>StepPath</name>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
</context>
<context>
    <name>StepRow</name>
    <message>
        <source>Hide what to do</source>
        <translation>收起操作</translation>
    </message>
    <message>
        <source>Make it…</source>
        <translation>创建…</translation>
    </message>
    <message>
        <source>New training script</source>
        <translation>新建训练脚本</translation>
    </message>
    <message>
        <source>Prove it…</source>
        <translation>实测验证…</translation>
    </message>
    <message>
        <source>Show what to do</source>
        <translation>显示操作</translation>
    </message>
</context>
<context>
    <name>VainCard</name>
    <message>
        <source>Will not help</source>
        <translation>以下做法无效</translation>
    </message>
</context>
<context>
    <name>WayWords</name>
    <message>
        <source>Done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>Known to work</source>
        <translation>已知可行</translation>
    </message>
    <message>
        <source>Native</source>
        <translation>原生支持</translation>
    </message>
    <message>
        <source>Needs restart</source>
        <translation>需要重启</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Not possible</source>
        <translation>无法实现</translation>
    </message>
    <message>
        <source>Not proven</source>
        <translation>未经验证</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>To do</source>
        <translation>待完成</translation>
    </message>
    <message>
        <source>Waits</source>
        <translation>等待前一步</translation>
    </message>
    <message>
        <source>Will not help:</source>
        <translation>以下做法无效：</translation>
    </message>
    <message>
        <source>Without the GPU</source>
        <translation>不使用 GPU</translation>
    </message>
    <message>
        <source>about {hours} h</source>
        <translation>约 {hours} 小时</translation>
    </message>
    <message>
        <source>about {minutes} min</source>
        <translation>约 {minutes} 分钟</translation>
    </message>
    <message>
        <source>download about {size}</source>
        <translation>下载约 {size}</translation>
    </message>
</context>
<context>
    <name>WaysOnPage</name>
    <message>
        <source>Check again</source>
        <translation>重新检查</translation>
    </message>
    <message>
        <source>Checked on {date}</source>
        <translation>核对于 {date}</translation>
    </message>
    <message>
        <source>Copy all as text</source>
        <translation>复制全部文字</translation>
    </message>
    <message>
        <source>Each step is being checked.</source>
        <translation>正在检查每个步骤。</translation>
    </message>
    <message>
        <source>Each step is checked when the window comes to the front. Nothing is run for you.</source>
        <translation>窗口回到前台时会重新检查各步骤。本程序不会替您执行任何操作。</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在查看…</translation>
    </message>
    <message>
        <source>There are no further ways here</source>
        <translation>此处没有其他途径</translation>
    </message>
    <message>
        <source>Ways on</source>
        <translation>解决途径</translation>
    </message>
    <message>
        <source>What there is to do stands on the page Compatibility, with its command.</source>
        <translation>要做的事及其命令都在“兼容性”页面上。</translation>
    </message>
    <message>
        <source>{done} of {count} done</source>
        <translation>已完成 {done}/{count} 步</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>还需{time}</translation>
    </message>
</context>
</TS>
