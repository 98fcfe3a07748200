<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>NewScriptPage</name>
    <message>
        <source>Alt+Left; no answer is lost</source>
        <translation>Alt+左箭头；不会丢失任何填写内容</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Copy every choice with its reason as text</source>
        <translation>以文本复制每项选择及其理由</translation>
    </message>
    <message>
        <source>Copy plan</source>
        <translation>复制方案</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation>硬件</translation>
    </message>
    <message>
        <source>Made for a recorded machine</source>
        <translation>为已录制的机器编写</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>New training script</source>
        <translation>新建训练脚本</translation>
    </message>
    <message>
        <source>Next: {step}</source>
        <translation>下一步：{step}</translation>
    </message>
    <message>
        <source>Open a saved bundle</source>
        <translation>打开已保存的脚本包</translation>
    </message>
    <message>
        <source>Open a saved bundle…</source>
        <translation>打开已保存的脚本包…</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>确认</translation>
    </message>
    <message>
        <source>Save bundle…</source>
        <translation>保存脚本包…</translation>
    </message>
    <message>
        <source>Save the bundle first</source>
        <translation>请先保存脚本包</translation>
    </message>
    <message>
        <source>Save the changes first</source>
        <translation>请先保存修改</translation>
    </message>
    <message>
        <source>Script</source>
        <translation>脚本</translation>
    </message>
    <message>
        <source>Start over</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>Start training</source>
        <translation>开始训练</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>What should the model learn? Nothing is written before the last step.</source>
        <translation>要让模型学什么？在最后一步之前不会写入任何文件。</translation>
    </message>
</context>
</TS>
